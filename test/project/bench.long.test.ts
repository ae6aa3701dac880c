import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('the benchmarks print their figures at the smallest scale', { timeout: 1_200_000 }, async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', 'bench', '--', 'tiny'], { cwd: ROOT });
  for (const line of [
    /^list request, CPU of the service, relative to minimal .* {2}\d+\.\d\d \(/m,
    /^PostgreSQL: lists a second, relative to the better of Kysely and Drizzle .* {2}\d+\.\d\d \(/m,
    /^PostgreSQL: PUTs a second, relative to minimal INSERTs .* {2}\d+\.\d\d \(/m,
  ])
    assert.match(stdout, line);
});
