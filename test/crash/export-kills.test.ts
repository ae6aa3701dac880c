import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runExportKills } from './export-kills.ts';

const KILLS = inTier({ short: 6, long: 30 });

test(`${KILLS} kills of the service while it sends exports: a response that is not whole never ends as one, and its manifest is not complete`, async (t) => {
  const { kills, whole, cut, cutAfterRows } = await runExportKills(KILLS, seed);
  t.diagnostic(
    `${kills} kills, ${whole} whole responses, ${cut} cut ones, ${cutAfterRows} of them after all rows`,
  );
  assert.equal(kills, KILLS);
  assert.ok(cut > KILLS / 4, `only ${cut} responses were cut`);
});
