import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Random } from '../rig/run/random.ts';
import { type Part, progress, write } from './part.ts';

/**
 * How many files run at once. More would overrun the time of the part. Fewer would mostly start PostgreSQL.
 */
const FILES_AT_ONCE = 10;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OPTIONS = [
  ...['--test', '--test-reporter=spec', '--test-concurrency=2', '--test-timeout=3600000'],
  '--test-global-setup=test/rig/run/global-setup.ts',
];

async function runFiles(files: readonly string[], seed: number): Promise<void> {
  // Names the files first, so that the output shows which ones hang.
  const command = `TEST_TIER=long TEST_SEED=${seed} npm test -- ${files.join(' ')}`;
  write(command);
  const env = { ...process.env, TEST_SEED: String(seed), TEST_TIER: 'long' };
  const child = spawn(process.execPath, [...OPTIONS, ...files], { cwd: ROOT, env, stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  assert.equal(status, 0, command);
}

const FILES = globSync('{client,release,src,test,values,web}/**/*.test.ts', { cwd: ROOT });

/** Runs every test file with all its cases, including the long tier, in an order that the seed decides. */
export const filesPart: Part = {
  name: 'files',
  promise: 'Every test passes with all its cases, also those that a commit does not run',
  share: 0.3,
  async run({ first, endsAtMs }) {
    const onProgress = progress('test files');
    const random = new Random(first);
    const left = [...FILES];
    let count = 0;
    while (left.length > 0 && performance.now() < endsAtMs) {
      const files = Array.from({ length: Math.min(FILES_AT_ONCE, left.length) }, () =>
        left.splice(random.integer(0, left.length - 1), 1),
      ).flat();
      await runFiles(files, first);
      count += files.length;
      onProgress(count);
    }
    return `${count} of ${FILES.length} test files`;
  },
};
