import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sealUpTo } from '../../../src/ledger/seals/seals.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';

test('recording and sealing leave no warning in the log of the server', async (t) => {
  const server = await startPostgres({ settings: { log_min_messages: 'warning' } });
  t.after(() => server.stop());
  const { store } = await openStore(`${server.url}/postgres`, Date.now);
  await record(store, [transaction('acct-1', 'pay_1'), transaction('acct-1', 'pay_2')]);
  const run = { isStopped: () => false, monotonicMs: () => performance.now(), pause: async () => {} };
  assert.equal((await sealUpTo(store, 'acct-1', {}, run)).changes, 2);
  await store.close();
  const log = readFileSync(join(server.folder, 'log'), 'utf8');
  assert.deepEqual(
    log.split('\n').filter((line) => /\b(WARNING|ERROR):/.test(line)),
    [],
  );
});
