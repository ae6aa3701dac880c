import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/store/open-store.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { sealAll } from '../../rig/store/seal.ts';

test('recording and sealing leave no warning in the log of the server', async (t) => {
  const server = await startPostgres({ settings: { log_min_messages: 'warning' } });
  t.after(() => server.stop());
  const { store } = await openStore(`${server.url}/postgres`, Date.now);
  await record(store, [transaction('acct-1', 'pay_1'), transaction('acct-1', 'pay_2')]);
  assert.equal((await sealAll(store, 'acct-1')).changes, 2);
  await store.close();
  const log = readFileSync(join(server.folder, 'log'), 'utf8');
  assert.deepEqual(
    log.split('\n').filter((line) => /\b(WARNING|ERROR):/.test(line)),
    [],
  );
});
