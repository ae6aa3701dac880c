import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const RUN = fileURLToPath(new URL('../../proof/bench/run.ts', import.meta.url));

test('the benchmarks print their figures at the smallest scale', { timeout: 1_200_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, 'tiny']);
  for (const line of [
    /^list request, CPU of the service, relative to minimal .* {2}\d+\.\d\d \(/m,
    /^PostgreSQL: PUTs a second, relative to minimal INSERTs .* {2}\d+\.\d\d \(/m,
  ])
    assert.match(stdout, line);
});
