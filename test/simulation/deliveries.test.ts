import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { simulateDeliveries } from './simulate-deliveries.ts';

const SEEDS = inTier({ short: 20, long: 150 });

test(`${SEEDS} simulated histories of deliveries lose nothing, whatever fails`, async () => {
  for (let one = seed; one < seed + SEEDS; one++) {
    const { violation, history } = await simulateDeliveries(one);
    const replay = `npm run simulate -- --deliveries --seed ${one}`;
    assert.equal(violation, undefined, `${replay}\n${violation?.stack}\n${history.join('\n')}`);
  }
});

test('a seed replays its deliveries exactly', async () => {
  const { history } = await simulateDeliveries(7);
  assert.ok(history.length > 20);
  assert.deepEqual((await simulateDeliveries(7)).history, history);
});
