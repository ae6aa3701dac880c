import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const RUN = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));

test('the benchmarks print their figures at the smallest scale', { timeout: 1_200_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, 'tiny']);
  for (const line of [
    /^list request, CPU of the service, relative to minimal .* {2}\d+\.\d\d \(/m,
    /^SQLite: CPU of a page: status, first page, .* {2}\d+\.\d\d \(/m,
    /^PostgreSQL: time of a page: status, first page, .* {2}\d+\.\d\d \(/m,
    /^PostgreSQL: import of 2,250 rows, rows a second +\d+ \(/m,
    /^PostgreSQL: commit to long poll across processes, ms +p50 \d+\.\d, p99 \d+\.\d of 10 /m,
    /^SQLite: page of 100 changes, store, CPU, deep in the middle, relative to after=head-100 +\d+\.\d\d \(/m,
    /^SQLite: totals of 90 days, p99 to a list's p50 +\d+\.\d\d \(/m,
    /^PostgreSQL: export of 2,000 rows as ndjson, rows a second +\d+ \(/m,
    /^SQLite: CPU of a PUT into a watched account, relative to one that is not +\d+\.\d\d \(/m,
    /^PostgreSQL: idle with 100000 endpoints without changes, p99 of a list to that with nothing +\d+\.\d\d \(/m,
    /^SQLite: idle with 20000 endpoints without changes, from a PUT to its delivery, ms, p90 +\d+ /m,
    /^webhooks: with a refusing and a hanging receiver beside 20 others, time of the others' deliveries, relative to without +\d+\.\d\d \(/m,
    /^webhooks: lists at full load beside deliveries, median, relative to without +\d+\.\d\d \(/m,
    /^\| CPU of a request, to a minimal server; .* \| \d+\.\d\d \(.*\); \d+ \(.*\) \| /m,
    /^\| 300 lists a second during such a stream, to without: p50; p99 \| .* \| \d+\.\d\d \(.* \| \d+\.\d\d \(.* \|$/m,
    /^\| a page of 100 changes in the middle, to the last one \| /m,
    /^\| median of a list beside an export, one after the other; 1 ms between them \| /m,
    /^\| memory of two exports at once, MB \| /m,
  ]) {
    assert.match(stdout, line);
  }
});

test('an unknown scale or benchmark is refused', async () => {
  const failure = await promisify(execFile)(process.execPath, [RUN, 'fast']).catch((error) => error);
  assert.equal(failure.code, 2);
  assert.match(failure.stderr, /fast is neither a scale \(full, quick, huge, tiny\) nor a benchmark/);
});
