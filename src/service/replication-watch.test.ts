import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatUntil } from '../../test/rig/service/repeated-work.ts';
import type { ReplicationFacts } from '../operate/doctor/check-database.ts';
import { createMetrics } from './metrics.ts';
import { startReplicationWatch } from './replication-watch.ts';
import type { Sleep } from './sleep.ts';

const BEHIND: ReplicationFacts = {
  standbys: [
    { name: 'db2', state: 'streaming', behindBytes: 2e7, repliedMsAgo: 0 },
    { name: 'db4', state: null, behindBytes: null, repliedMsAgo: null },
  ],
  idleSlots: [{ name: 'db3', keptBytes: 3e9 }],
  archive: { archivedMsAgo: 9000, failedMsAgo: 1000 },
};
const HEALTHY: ReplicationFacts = {
  standbys: [],
  idleSlots: [],
  archive: { archivedMsAgo: 1000, failedMsAgo: 9000 },
};

test('metrics have standbys, idle slots and a failing archive while the primary reports them, and not while it does not respond', async () => {
  const metrics = createMetrics();
  const left = [BEHIND, HEALTHY, new Error('away')];
  const seen: string[][] = [];
  const read = async () => {
    const next = left.shift();
    if (next instanceof Error || next === undefined) throw next;
    return next;
  };
  await repeatUntil(
    () => left.length === 0,
    (pause) => {
      const sleep: Sleep = async (...values) => {
        const { body } = await metrics.text();
        seen.push(body.match(/^transactions_(?:standby|idle|archive)_.*$/gm) ?? []);
        await pause(...values);
      };
      return startReplicationWatch({ read, metrics, sleep });
    },
  );
  assert.deepEqual(seen, [
    [
      'transactions_standby_behind_bytes{standby="db2"} 20000000',
      'transactions_idle_slot_kept_bytes{slot="db3"} 3000000000',
      'transactions_archive_failing 1',
    ],
    ['transactions_archive_failing 0'],
    [],
  ]);
});
