import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { seed } from './rig/seed.ts';
import { temporaryFolder } from './rig/temporary-folder.ts';
import { testFiles } from './rig/test-files.ts';

/*
 * npm test                      checks format, lint and types, and runs all tests of the short tier
 * npm test -- FILE...           runs these test files alone
 * npm run test:watch -- FILE... runs them again after each change
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SETUP = '--test-global-setup=test/rig/global-setup.ts';

const args = process.argv.slice(2);
const isWatch = args.includes('--watch');
const files = args.filter((arg) => arg !== '--watch');

process.env['TEST_SEED'] = String(seed);
process.exitCode = (await (files.length === 0 && !isWatch ? checkAndTest() : runTests(files))) ? 0 : 1;

async function checkAndTest(): Promise<boolean> {
  const checks = ['lint', 'typecheck', 'coverage'].map((script) => isPassed(spawned('npm', ['run', script])));
  if ((await Promise.all(checks)).includes(false)) return false;
  return runTests(testFiles('short'));
}

/** Runs test files. The last lines of a run that fails have the names of the tests, and the seed. */
async function runTests(paths: readonly string[]): Promise<boolean> {
  const folder = temporaryFolder();
  const failed = `${folder.path}/failed.txt`;
  const reporters = ['spec', 'stdout', './test/rig/failed-tests.ts', failed].flatMap((value, index) => [
    index % 2 === 0 ? '--test-reporter' : '--test-reporter-destination',
    value,
  ]);
  const options = ['--test-concurrency=5', '--test-timeout=600000', SETUP, ...reporters];
  try {
    const passed = await isPassed(
      spawned(process.execPath, ['--test', ...(isWatch ? ['--watch'] : []), ...options, ...paths]),
    );
    process.stdout.write(
      `The seed of the random values was TEST_SEED=${seed}.\n${readFileSync(failed, 'utf8')}`,
    );
    return passed;
  } finally {
    folder.remove();
  }
}

function spawned(program: string, given: readonly string[]): ChildProcess {
  return spawn(program, given, { cwd: ROOT, stdio: 'inherit' });
}

async function isPassed(child: ChildProcess): Promise<boolean> {
  const [status] = await once(child, 'exit');
  return status === 0;
}
