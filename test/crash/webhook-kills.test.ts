import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runWebhookKills } from './webhook-kills.ts';

const KILLS = inTier({ short: 5, long: 25 });

test(`${KILLS} kills of the service while it delivers webhooks to a receiver that does everything wrong: every acknowledged change arrives, with one id for ever`, async (t) => {
  const { kills, acknowledged, changes, arrived, wanted } = await runWebhookKills({ kills: KILLS, seed });
  t.diagnostic(
    `${kills} kills, ${acknowledged} acknowledged changes of ${changes}; ${wanted} deliveries wanted, ${arrived} attempts arrived`,
  );
  assert.equal(kills, KILLS);
  assert.ok(acknowledged > KILLS && arrived > wanted, 'the kills came before anything happened');
});
