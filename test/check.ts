import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { concernedTests } from './rig/run/concerned-tests.ts';
import { checkProject, runFiles } from './rig/run/run-tests.ts';

/*
 * npm run check            format, lint, types, and the tests nearest to what changed since the last push
 * npm run check -- COMMIT  the same for what changed since this commit
 */
const MOST_FILES = 20;

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

const base = process.argv[2] ?? '@{upstream}...';
const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
const everyTest = globSync('{client,release,src,test,values,web}/**/*.test.ts', {
  exclude: ['**/*.long.test.ts'],
});
const concerned = concernedTests(
  everyTest,
  changed.filter((file) => existsSync(file)),
);
const ofProject = everyTest.filter((file) => file.startsWith('test/project/'));
const files = [...new Set([...concerned.slice(0, MOST_FILES), ...ofProject])];
process.exitCode = (await checkProject()) && (await runFiles(files)) ? 0 : 1;
process.stdout.write(
  `Changed: ${changed.length} files. They concern ${concerned.length} test files; the ${MOST_FILES} nearest were run.\n`,
);
