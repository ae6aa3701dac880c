import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Part, progress, write } from './part.ts';

/** Tests with kills at random moments and with random damage, few of them in each run. */
export const REPEATED_FILES = [
  'test/crash/copy-cuts.test.ts',
  'test/crash/copy-kills.test.ts',
  'test/crash/export-kills.test.ts',
  'test/crash/totals-kills.test.ts',
  'test/cli/export-killed.test.ts',
  'test/cli/import-killed.test.ts',
  'test/verify/sqlite-flips.test.ts',
];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SETUP = '--test-global-setup=test/rig/run/global-setup.ts';
const MAX_OUTPUT_BYTES = 2 ** 28;

/** Runs test files again and again, each time with other random values. */
export const repeatedPart = (files: readonly string[]): Part => ({
  name: 'killed-files',
  promise:
    'After kills of the service, of imports, of copies, of additions to the totals and of the export command, no export is complete that lacks rows, no file has its name that is not whole, and imports, copies and totals are exact. A changed bit of a SQLite file changes no answer that `verify` passes',
  share: 0.1,
  goal: 50,
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('runs of test files');
    let runs = 0;
    let passed = 0;
    while (runs < count && (runs === 0 || performance.now() < endsAtMs)) {
      const counts = await runFiles(files, first + runs);
      assert.equal(counts.passed, counts.tests, 'a test was skipped');
      passed += counts.passed;
      onProgress(++runs);
    }
    return {
      counts: { 'runs with other random values each': runs, 'tests passed': passed },
      seeds: runs,
      figures: files.length === 1 ? '1 file' : `${files.length} files`,
      broken: '0',
    };
  },
});

/** Runs test files with all their cases. Throws: an Error with the output if a test failed. */
export async function runFiles(
  files: readonly string[],
  seed: number,
): Promise<{ passed: number; tests: number }> {
  // If one of them hangs, the output says which.
  write(`seed ${seed}: ${files.join(' ')}`);
  // With this variable, a runner that was started by a test would run nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--test', '--test-reporter=tap', '--test-concurrency=2', '--test-timeout=3600000', SETUP];
  const ended = await promisify(execFile)(process.execPath, [...args, ...files], {
    cwd: ROOT,
    env: { ...env, TEST_SEED: String(seed), TEST_TIER: 'long' },
    maxBuffer: MAX_OUTPUT_BYTES,
  }).catch((error) =>
    assert.fail(`TEST_TIER=long TEST_SEED=${seed} npm test -- ${files.join(' ')}\n${error.stdout}`),
  );
  const countOf = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(ended.stdout)?.[1]);
  const counts = { passed: countOf('pass'), tests: countOf('tests') };
  assert.ok(counts.passed > 0, ended.stdout);
  return counts;
}
