import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasWrk } from '../../bench/rig/wrk.ts';

const RUN = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));

/** Every benchmark but `versions`, which takes more than a minute at any scale: it starts two versions in turns. */
const BENCHMARKS =
  'list-requests workers growth growth-over-http tail import reconcile work-during-import recording overload charts peers postgres changes exports copy webhooks';

test('the benchmarks print their figures at the smallest scale', { timeout: 1_200_000 }, async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    RUN,
    'tiny',
    ...BENCHMARKS.split(' '),
  ]);
  for (const line of [
    /^list request, CPU of the service, relative to minimal .* {2}\d+\.\d\d \(/m,
    /^SQLite: CPU of a page: status, first page, .* {2}\d+\.\d\d \(/m,
    /^list request, CPU of the service: status, first page, relative to .* {2}\d+\.\d\d \(/m,
    /^SQLite: import of 2,250 rows, rows a second +\d+ \(/m,
    /^reconcile: 2,000 lines with as many transactions, rows a second +\d+ \(/m,
    /^PostgreSQL: commit to long poll across processes, ms +p50 \d+\.\d, p99 \d+\.\d of 10 /m,
    /^SQLite: page of 100 changes, store, CPU, deep in the middle, relative to after=head-100 +\d+\.\d\d \(/m,
    /^SQLite: totals of 90 days, p99 to a list's p50 +\d+\.\d\d \(/m,
    /^PostgreSQL: export of 2,000 rows as ndjson, rows a second, to the barest loop +\d+\.\d\d \(/m,
    /^SQLite: copy without the comparison, rate to that of an import +\d+\.\d\d \(/m,
    /^PostgreSQL: following a service that records 500 a second, behind by, s: median; most +\d+\.\d\d; \d+\.\d\d /m,
    /^webhooks: with a refusing and a hanging receiver beside 20 others, time of the others' deliveries, relative to without +\d+\.\d\d \(/m,
    /^webhooks: lists at full load beside deliveries, median, relative to without +\d+\.\d\d \(/m,
    /^PostgreSQL: PUTs refused or failed of \d+ +0 /m,
  ]) {
    assert.match(stdout, line);
  }
  const workers =
    /^list requests a second of two processes on two cores, relative to one process on one +\d+\.\d\d \(/m;
  if (hasWrk()) assert.match(stdout, workers);
  else assert.match(stderr, /workers: not measured, because wrk is not installed/);
});

test('an unknown scale or benchmark is refused', async () => {
  const failure = await promisify(execFile)(process.execPath, [RUN, 'fast']).catch((error) => error);
  assert.equal(failure.code, 2);
  assert.match(failure.stderr, /fast is neither a scale \(full, quick, huge, tiny\) nor a benchmark/);
});
