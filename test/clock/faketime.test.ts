import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { FAKETIME, shiftedClock } from '../rig/run/faketime.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createKey, run, startServe } from '../rig/service/process.ts';

const skip = FAKETIME === undefined && 'faketime is not installed; Debian has it as the package faketime';

const DAY_S = 86_400;
const YEAR_S = 365 * DAY_S;

test('a process whose clock is set back and forward by up to ten years keeps answering, and expiry follows its clock', {
  skip,
}, async (t) => {
  const folder = temporaryFolder(t);
  const options = { cwd: folder.path };
  const lines = Array.from({ length: 15 }, (_, index) => csvLine({ reference: `r${index}` }));
  const imported = await run(['import', '--format', 'csv', '-'], { ...options, stdin: csvFile(...lines) });
  assert.equal(imported.status, 0, imported.stderr);
  const key = await createKey('store-1', options);

  const { env, setOffset } = shiftedClock(folder.path);
  const served = await startServe({ ...options, env }, t);
  const send = async (query = '') => {
    const response = await fetch(`${served.url}/v1/transactions?${query}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a page or a problem
    const body = (await response.json()) as any;
    return { status: response.status, headers: response.headers, body };
  };

  const first = await send();
  assert.equal(first.status, 200);
  const cursor = `cursor=${first.body.nextCursor}`;
  for (const seconds of [
    1,
    -1,
    3600,
    -3600,
    DAY_S + 60,
    90 * DAY_S,
    -90 * DAY_S,
    YEAR_S,
    10 * YEAR_S,
    -10 * YEAR_S,
    0,
  ]) {
    setOffset(seconds);
    const next = await send(cursor);
    const isPast = seconds >= DAY_S;
    assert.deepEqual(
      [next.status, next.body.code],
      isPast ? [400, 'cursor_expired'] : [200, undefined],
      `${seconds} s`,
    );
    // A new cursor expires a day after the shifted time, so the process really reads that time.
    const fresh = await send();
    const offMs =
      Date.parse(fresh.headers.get('cursor-expires') ?? '') - (Date.now() + (DAY_S + seconds) * 1000);
    assert.ok(Math.abs(offMs) < 60_000, `the clock is off by ${offMs} ms from ${seconds} s`);
    const live = await fetch(`${served.url}/livez`, { signal: AbortSignal.timeout(GIVE_UP_MS) });
    assert.equal(live.status, 200);
  }
  assert.equal(served.child.exitCode, null);
  assert.deepEqual(await served.stop(), { status: 0, signal: null });
});
