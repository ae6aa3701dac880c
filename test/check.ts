import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { concernedTests } from './rig/run/concerned-tests.ts';
import { secondsOf } from './rig/run/even-shares.ts';
import { runChecks, runTests } from './run-tests.ts';

/*
 * npm run check            checks format, lint and types, and runs the tests that the changed files concern, the nearest first
 * npm run check -- COMMIT  counts what has changed since this commit; otherwise since the last one that was pushed
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The processor time of the tests that are run: about 40 seconds with two cores. */
const MAX_SECONDS = 80;

const changed = changedFiles(process.argv[2] ?? pushed());
const everyTest = globSync('{test,src,web}/**/*.test.ts', { cwd: ROOT });
const concerned = concernedTests(
  everyTest.filter((file) => !file.endsWith('.long.test.ts')),
  changed,
);
let seconds = 0;
const near = concerned.filter((file) => {
  seconds += secondsOf(file);
  return seconds <= MAX_SECONDS;
});
const files = [...new Set([...near, 'test/groups/project.ts'])];
const left = concerned.length - near.length;
const isPassed = (await runChecks(['lint', 'typecheck'])) && (await runTests(files));
const others = left === 0 ? '' : ` The ${left} that are further from it are run by npm test.`;
process.stdout.write(
  `Changed: ${changed.length} files. Run: the ${near.length} nearest test files.${others}\n`,
);
process.exitCode = isPassed ? 0 : 1;

function changedFiles(base: string): string[] {
  const since = git('diff', '--name-only', base);
  const isNew = git('ls-files', '--others', '--exclude-standard');
  return [...since, ...isNew].filter((file) => existsSync(`${ROOT}${file}`));
}

/** The last commit that another repository has too, or that of the work tree. */
function pushed(): string {
  try {
    return git('merge-base', 'HEAD', '@{upstream}')[0] ?? 'HEAD';
  } catch {
    return 'HEAD';
  }
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
    .split('\n')
    .filter((line) => line !== '');
}
