import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { type KillsResult, runDatabaseKills, runServiceKills } from './run-kills.ts';

const SERVICE_KILLS = inTier({ short: 2, long: 25 });
const DATABASE_KILLS = inTier({ short: 1, long: 3 });

function report(
  t: TestContext,
  { kills, acknowledged, rows, changes, cutOff, unavailable, recoveredMs }: KillsResult,
) {
  const sortedMs = recoveredMs.toSorted((one, other) => one - other);
  const [medianMs = 0, slowestMs = 0] = [sortedMs[sortedMs.length >> 1], sortedMs.at(-1)];
  t.diagnostic(
    `${kills} kills, ${acknowledged} acknowledged, ${rows} listed, ${changes} changes read before, ${cutOff} connections lost, ${unavailable} answered 503; ` +
      `recovered after ${medianMs.toFixed(0)} ms (median), ${slowestMs.toFixed(0)} ms at most`,
  );
}

test(`${SERVICE_KILLS} kills of the service at random moments: no acknowledged transaction is lost, no change is lost or renumbered`, async (t) => {
  const result = await runServiceKills({ kills: SERVICE_KILLS, seed });
  report(t, result);
  assert.equal(result.kills, SERVICE_KILLS);
  assert.ok(result.acknowledged > SERVICE_KILLS && result.changes > SERVICE_KILLS && result.cutOff > 0);
});

test(`${DATABASE_KILLS} kills of PostgreSQL at random moments: 503 while it is down, and no acknowledged transaction is lost, no change is lost or renumbered`, async (t) => {
  const result = await runDatabaseKills({ kills: DATABASE_KILLS, seed });
  report(t, result);
  assert.equal(result.kills, DATABASE_KILLS);
  assert.ok(
    result.acknowledged > DATABASE_KILLS && result.changes > DATABASE_KILLS && result.unavailable > 0,
  );
  assert.equal(result.cutOff, 0, 'the service closed connections without a response');
});
