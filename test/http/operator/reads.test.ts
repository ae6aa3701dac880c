import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { listen } from '../../rig/http/connection.ts';
import { buildTestApp, testClock } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { storeWith } from '../../rig/store/store-with.ts';

/* Compares what the operator's listener and the account itself read of an account. */

const GET = { method: 'GET' } as const;
const ROOT = '/v1/accounts/store-1';

test('the operator can run two exports of an account at once, in addition to those of the account', async (t) => {
  const { store } = await openStore(IN_MEMORY_URL, testClock().now);
  await record(store, [transaction('store-1', 'a'), transaction('store-2', 'a')]);
  let hanging = 0;
  let hangs = true;
  const slow = storeWith(store, {
    listNumbered: (query, limit) => {
      if (!hangs) return store.listNumbered(query, limit);
      hanging++;
      return new Promise(() => {});
    },
  });
  const app = await buildTestApp({ store: slow });
  const operator = await buildTestOperatorApp(slow, app.clock);
  const { open } = await listen(t, operator.server);
  for (let count = 1; count <= 2; count++) {
    open().write(
      `GET ${ROOT}/transactions.csv HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${operator.key}\r\n\r\n`,
    );
    while (hanging < count) await nextTurn();
  }
  hangs = false;
  const refused = await operator.send(`${ROOT}/transactions.csv`, GET);
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_exports']);
  assert.equal((await operator.send('/v1/accounts/store-2/transactions.csv', GET)).status, 200);
  assert.equal((await app.send('/v1/transactions.csv', { key: await app.makeKey('store-1') })).status, 200);
});
