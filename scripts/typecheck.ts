import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * npm run typecheck
 *
 * Checks the types of each project. What has not changed since the last run is not checked again.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KNOWN = 'node_modules/.cache/types';
const PROJECTS = ['.', 'client', 'conformance', 'web', 'test/page'];

mkdirSync(`${ROOT}${KNOWN}`, { recursive: true });
for (const project of PROJECTS) {
  const known = `${KNOWN}/${project.replaceAll(/\W/g, '-')}.json`;
  const options = ['--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', known];
  try {
    execFileSync('node_modules/.bin/tsc', ['--project', project, ...options], {
      cwd: ROOT,
      stdio: 'inherit',
    });
  } catch {
    process.exitCode = 1;
  }
}
