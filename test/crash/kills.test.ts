import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type KillsResult, runDatabaseKills, runServiceKills } from './run-kills.ts';

const SERVICE_KILLS = 120;
const DATABASE_KILLS = 5;

function tell(t: TestContext, { kills, acknowledged, rows, cutOff, unavailable, recoveredMs }: KillsResult) {
  const sortedMs = recoveredMs.toSorted((one, other) => one - other);
  const [medianMs = 0, slowestMs = 0] = [sortedMs[sortedMs.length >> 1], sortedMs.at(-1)];
  t.diagnostic(
    `${kills} kills, ${acknowledged} acknowledged, ${rows} there, ${cutOff} cut off, ${unavailable} told as unavailable; ` +
      `back after ${medianMs.toFixed(0)} ms in the middle, ${slowestMs.toFixed(0)} ms at most`,
  );
}

test(`${SERVICE_KILLS} kills of the service at random moments: nothing that it acknowledged is gone`, async (t) => {
  const result = await runServiceKills({ kills: SERVICE_KILLS });
  tell(t, result);
  assert.equal(result.kills, SERVICE_KILLS);
  assert.ok(result.acknowledged > SERVICE_KILLS && result.cutOff > 0);
});

test(`${DATABASE_KILLS} kills of PostgreSQL at random moments: 503 meanwhile, nothing that was acknowledged is gone`, async (t) => {
  const result = await runDatabaseKills({ kills: DATABASE_KILLS });
  tell(t, result);
  assert.equal(result.kills, DATABASE_KILLS);
  assert.ok(result.acknowledged > DATABASE_KILLS && result.unavailable > 0);
  assert.equal(result.cutOff, 0, 'the service cut connections off');
});
