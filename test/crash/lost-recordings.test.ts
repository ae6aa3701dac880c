import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runFailovers } from './run-failovers.ts';

const FAILOVERS = inTier({ short: 1, long: 3 });

test('each acknowledged recording, and each end of a key, that a promoted standby lacks is named once in the log, and no other', async (t) => {
  const result = await runFailovers({ replication: 'asynchronous', first: seed, count: FAILOVERS });
  assert.equal(result.failovers, FAILOVERS);
  t.diagnostic(JSON.stringify(result));
});

test('nothing is lost if commits wait for a standby, and the one that has received more is promoted', async (t) => {
  const result = await runFailovers({ replication: 'synchronous', first: seed, count: FAILOVERS });
  assert.deepEqual([result.failovers, result.lost], [FAILOVERS, 0]);
  t.diagnostic(JSON.stringify(result));
});
