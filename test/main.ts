import { testFiles } from './rig/run/test-files.ts';
import { runChecks, runTests } from './run-tests.ts';

/*
 * npm test                      checks format, lint and types, and runs all tests of the short tier
 * npm test -- FILE...           runs these test files alone
 * npm run test:watch -- FILE... runs them again after each change
 */
const args = process.argv.slice(2);
const isWatch = args.includes('--watch');
const files = args.filter((arg) => arg !== '--watch');

process.exitCode = (await (files.length === 0 && !isWatch ? checkAndTest() : runTests(files, { isWatch })))
  ? 0
  : 1;

async function checkAndTest(): Promise<boolean> {
  return (await runChecks(['lint', 'typecheck', 'coverage'])) && (await runTests(testFiles('short')));
}
