import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { TransactionsClient } from '../../client/src/index.ts';
import { PlatformClient } from '../../client/src/platform.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { listen } from '../rig/http/connection.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

/* A platform reads each account with the methods of a client of the account. */

async function serve(t: TestContext) {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const rows = Array.from({ length: 25 }, (_, nth) =>
    transaction('store-1', `pay_${nth}`, {
      createdAtMs: DAY('2026-03-01') + nth,
      status: nth % 3 === 0 ? 'pending' : 'completed',
    }),
  );
  await record(app.store, [...rows, transaction('store-2', 'other')]);
  const url = async (one: typeof app | typeof operator) =>
    `http://127.0.0.1:${(await listen(t, one.server)).port}`;
  const client = new TransactionsClient({ url: await url(app), apiKey: await app.makeKey('store-1') });
  const platform = new PlatformClient({ url: await url(operator), apiKey: operator.key });
  return { client, platform };
}

test('each method that reads returns the same as for a client of the account', async (t) => {
  const { client, platform } = await serve(t);
  const account = platform.account('store-1');
  const reads: ((reader: typeof client | typeof account) => Promise<unknown>)[] = [
    ({ transactions }) => Array.fromAsync(transactions.list({ status: 'completed' })),
    ({ transactions }) => Array.fromAsync(transactions.search({ text: 'pay_1' })),
    async ({ transactions }) => {
      const list = transactions.list();
      await list.page();
      return Array.fromAsync(transactions.resume(list.toJSON()));
    },
    ({ transactions }) => transactions.retrieve('store-1.pay_3'),
    ({ transactions }) => transactions.changes('store-1.pay_3'),
    ({ changes }) => changes.list({ after: 3, limit: 4 }),
    (reader) => reader.totals({ by: 'day' }),
    async ({ transactions }) => {
      const exported = transactions.export({ paidFrom: '2026-03-01' });
      const all = await Array.fromAsync(exported);
      const { id, startedAt, finishedAt, ...manifest } = exported.manifest ?? assert.fail('no manifest');
      return { all, manifest };
    },
    async ({ transactions }) =>
      Buffer.concat(await Array.fromAsync(transactions.exportFile({ format: 'csv' }))),
  ];
  for (const read of reads) {
    const result = await read(client);
    assert.ok(!Array.isArray(result) || result.length > 0, String(read));
    assert.deepEqual(await read(account), result, String(read));
  }
});
