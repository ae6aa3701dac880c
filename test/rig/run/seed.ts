import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

export const seed = Number(process.env['TEST_SEED'] ?? seedOfCommit());

if (!Number.isSafeInteger(seed))
  throw new Error('TEST_SEED must be a whole number, for example TEST_SEED=1.');

function seedOfCommit(): number {
  return createHash('sha256').update(commit()).digest().readUInt32BE() >>> 1;
}

function commit(): string {
  try {
    const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', ['rev-parse', 'HEAD'], options).trim();
  } catch {
    return 'no commit';
  }
}

process.on('exit', (status) => {
  if (status === 0) return;
  const files = process.env['TEST_FILES'] ?? relative('', process.argv[1] ?? '');
  process.stderr.write(`TEST_SEED=${seed} gives the same random values in ${files} again.\n`);
});
