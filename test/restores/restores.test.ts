import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../rig/seed.ts';
import { inTier } from '../rig/tier.ts';
import { runRestores } from './run-restores.ts';

const RESTORES = inTier({ short: 4, long: 40 });

test(`${RESTORES} restores of older backups: each reader of the change feed notices it, and its copy becomes equal`, async (t) => {
  const { restores, ...counts } = await runRestores({ first: seed, count: RESTORES });
  t.diagnostic(JSON.stringify(counts));
  assert.equal(restores, RESTORES);
  assert.ok(counts.lost > 0 && counts.refused > 0 && counts.unaffected > 0);
});
