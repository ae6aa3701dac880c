import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptDelay, probeDelay } from './attempts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const least = () => 0;
const most = () => 1 - 2 ** -32;

test('attempts come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, then no more', () => {
  const delays = Array.from({ length: 10 }, (_, index) => attemptDelay(index + 1, null, false, least));
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR_MS);
  assert.deepEqual(delays, [5000, 300_000, 1_800_000, ...hours, null]);
});

for (const [what, attempts, retryAfterMs, ordered, random, expected] of [
  ['an ordered endpoint goes on once a day after the schedule', 10, null, true, least, DAY_MS],
  ['and never ends', 1000, null, true, least, DAY_MS],
  ['jitter makes a delay up to a tenth longer', 1, null, false, most, 5500],
  ['Retry-After makes a delay longer', 1, 7000, false, least, 7000],
  ['and never shorter', 1, 1000, false, least, 5000],
  ['Retry-After counts up to a day', 1, 40 * DAY_MS, false, least, DAY_MS],
  ['Retry-After adds no attempt after the last one', 10, 7000, false, least, null],
] as const)
  test(`attempts: ${what}`, () => {
    assert.equal(attemptDelay(attempts, retryAfterMs, ordered, random), expected);
  });

test('jitter and Retry-After make the delay of a probe longer too', () => {
  assert.equal(probeDelay(0, null, most), 1100);
  assert.equal(probeDelay(0, 90_000, least), 90_000);
});

test('probes come after 1 s, 2 s, 4 s and so on, at most 60 s with jitter', () => {
  const delays = Array.from({ length: 6 }, (_, probes) => probeDelay(probes, null, least));
  assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, 32_000]);
  for (const probes of [6, 60, 6000]) assert.ok(probeDelay(probes, null, most) <= 60_000);
  assert.ok(probeDelay(6000, null, least) > 50_000);
});
