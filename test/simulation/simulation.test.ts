import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed as first } from '../rig/run/seed.ts';
import { inTier, someInTier } from '../rig/run/tier.ts';
import { runSeeds } from './run-seeds.ts';
import { simulate } from './simulate.ts';

const SEEDS = inTier({ short: 20, long: 700 });

test(`${SEEDS} simulated histories of faults, restarts and jumping clocks break no promise`, async (t) => {
  const { seeds, responses, failed } = await runSeeds({ first, count: SEEDS });
  assert.equal(
    failed,
    undefined,
    `npm run simulate -- --seed ${failed?.seed}\n${failed?.violation}\n${failed?.history.join('\n')}`,
  );
  assert.equal(seeds, SEEDS);
  t.diagnostic(`${responses} responses were checked`);
});

test('a seed replays its history exactly', async () => {
  for (const seed of someInTier([1, 7, 123_456_789, 2 ** 40], 1)) {
    const { history } = await simulate(seed);
    assert.ok(history.length > 20);
    assert.deepEqual((await simulate(seed)).history, history);
  }
});

test('another seed is another history', async () => {
  assert.notDeepEqual((await simulate(1)).history, (await simulate(2)).history);
});
