import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatUntil } from '../../test/rig/service/repeated-work.ts';
import type { DatabaseClock } from '../store/store.ts';
import { startClockWatch } from './clock-watch.ts';

const NOW_MS = 1_000_000_000;
const HOURS = 3_600_000;

async function watch(clocks: readonly (DatabaseClock | Error)[]) {
  const lines: unknown[] = [];
  const offsets: number[] = [];
  const left = [...clocks];
  const readClock = async () => {
    const next = left.shift();
    if (next instanceof Error || next === undefined) throw next;
    return next;
  };
  const logger = {
    warn: ({ aheadSeconds }: { aheadSeconds: number }) => lines.push(`warn ${aheadSeconds}`),
    info: ({ aheadSeconds }: { aheadSeconds: number }) => lines.push(`info ${aheadSeconds}`),
  } as never;
  const metrics = { setClockOffset: (seconds: number) => offsets.push(seconds) };
  await repeatUntil(
    () => left.length === 0,
    (sleep) =>
      startClockWatch({ store: { readClock }, clock: { now: () => NOW_MS }, logger, metrics, sleep }),
  );
  return { lines, offsets };
}

const server = (nowMs: number): DatabaseClock => ({ nowMs, isLeast: false });
const file = (nowMs: number): DatabaseClock => ({ nowMs, isLeast: true });

test('a clock that differs from that of the server is logged once until it is right again, and the metric has each difference', async () => {
  const ahead = server(NOW_MS - 2 * HOURS);
  const { lines, offsets } = await watch([
    ahead,
    new Error('away'),
    ahead,
    server(NOW_MS),
    server(NOW_MS + 6000),
  ]);
  assert.deepEqual(lines, ['warn 7200', 'info 0', 'warn -6']);
  assert.deepEqual(offsets, [7200, 7200, 0, -6]);
});

test('a difference of up to 5 s is no warning', async () => {
  assert.deepEqual(await watch([server(NOW_MS - 5000), server(NOW_MS + 5000)]), {
    lines: [],
    offsets: [5, -5],
  });
});

test('a file that was last written in the future shows that the clock is behind; any other time shows nothing', async () => {
  assert.deepEqual(await watch([file(NOW_MS - 2 * HOURS)]), { lines: [], offsets: [0] });
  assert.deepEqual(await watch([file(NOW_MS + 2 * HOURS)]), { lines: ['warn -7200'], offsets: [-7200] });
});
