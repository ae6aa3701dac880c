import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasWrk } from '../../bench/rig/wrk.ts';

const RUN = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));

test('the bench answers each question with a figure, at its smallest', { timeout: 600_000 }, async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [RUN, 'tiny']);
  for (const question of [
    /^whole request, CPU: service to barest .* {2}\d+\.\d\d \(/m,
    /^CPU of a page, status: first page .* {2}\d+\.\d\d \(/m,
    /^whole request, CPU: status, first page, to the first page .* {2}\d+\.\d\d \(/m,
    /^import of 2,250 rows, rows a second +\d+ \(/m,
  ]) {
    assert.match(stdout, question);
  }
  const ofWorkers = /^throughput: two processes on two cores to one on one +\d+\.\d\d \(/m;
  if (hasWrk()) assert.match(stdout, ofWorkers);
  else assert.match(stderr, /workers: not measured, because wrk is not installed/);
});

test('the bench refuses a word that it does not know', async () => {
  const failure = await promisify(execFile)(process.execPath, [RUN, 'fast']).catch((error) => error);
  assert.equal(failure.code, 2);
  assert.match(failure.stderr, /fast is neither a scale \(full, quick, huge, tiny\) nor a question/);
});
