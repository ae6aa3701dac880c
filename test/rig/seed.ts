import { randomInt } from 'node:crypto';
import { relative } from 'node:path';

/** The seed of all random values in this process: TEST_SEED, or a new number in each run. */
export const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));

if (!Number.isSafeInteger(seed))
  throw new Error('TEST_SEED must be a whole number, for example TEST_SEED=1.');

process.on('exit', (status) => {
  if (status === 0) return;
  const file = relative('', process.argv[1] ?? '');
  process.stderr.write(`TEST_SEED=${seed} gives the same random values in ${file} again.\n`);
});
