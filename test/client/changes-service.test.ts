import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Change, type Transaction, TransactionsClient } from '../../client/src/index.ts';
import { transactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { clientOf } from '../rig/http/client.ts';
import { listen } from '../rig/http/connection.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { buildTestApp } from '../rig/service/app.ts';

const row = (index: number) => transaction('store-1', `pay_${index}`, { status: 'pending' });
const paid = (pending: AccountTransaction): AccountTransaction => ({
  ...pending,
  status: 'completed',
  paidAtMs: pending.createdAtMs + 5000,
});

/** A client of an app over a real connection. Each request is reported when it is sent. */
async function connected(t: TestContext) {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const { port } = await listen(t, app.server);
  t.after(() => app.announceStop());
  let requests = 0;
  let noteSent = Promise.withResolvers<void>();
  const client = new TransactionsClient({
    url: `http://127.0.0.1:${port}`,
    apiKey: key,
    fetch: (url, init) => {
      const response = fetch(url, init);
      requests++;
      noteSent.resolve();
      noteSent = Promise.withResolvers();
      return response;
    },
  });
  const recordNow = async (...rows: AccountTransaction[]) => {
    await record(app.store, rows);
    app.changeWatcher.noteRecorded('store-1');
  };
  const sent = async (count: number) => {
    while (requests < count) await noteSent.promise;
  };
  return { app, client, recordNow, sent };
}

test('a copy that a feed keeps, stopped at any change and continued from its saved position, equals the list', async () => {
  const random = new Random(seed);
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const { client } = clientOf(app, key);
  const copy = new Map<string, Transaction>();
  let saved = '{"after":0}';
  const types = new Map<string, string[]>();
  const open: AccountTransaction[] = [];
  let recorded = 0;
  for (let round = 0; round < 20; round++) {
    const rows = Array.from({ length: random.integer(1, 12) }, () => row(recorded++));
    const others = rows.map((_, at) => transaction('store-2', `other_${round}_${at}`));
    const done = open.filter(() => random.chance(0.3)).map(paid);
    await record(app.store, [...rows, ...others]);
    await record(app.store, done);
    open.push(...rows);
    const { headSequence } = await client.changes.list({ limit: 1 });
    const stopAt = round === 19 ? headSequence : random.integer(JSON.parse(saved).after, headSequence);
    const feed = client.changes.follow({ ...JSON.parse(saved), limit: random.integer(1, 9) });
    while (feed.after < stopAt) {
      for await (const { type, transaction } of feed) {
        copy.set(transaction.reference, transaction);
        types.set(transaction.reference, [...(types.get(transaction.reference) ?? []), type]);
        saved = JSON.stringify(feed);
        if (feed.after >= stopAt || random.chance(0.1)) break;
      }
    }
  }
  const list = await Array.fromAsync(client.transactions.list());
  assert.equal(list.length, recorded);
  assert.deepEqual(new Map(list.map((one) => [one.reference, one])), copy);
  for (const seen of types.values()) {
    assert.ok(['transaction.pending', 'transaction.pending,transaction.completed'].includes(seen.join()));
  }
});

test('a feed that waits gets a change when it is recorded', async (t) => {
  const { client, recordNow, sent } = await connected(t);
  const feed = client.changes.follow()[Symbol.asyncIterator]();
  const next = async (): Promise<Change> => (await feed.next()).value as Change;
  const first = next();
  await sent(1);
  await recordNow(row(1));
  const one = await first;
  assert.deepEqual([one.sequence, one.type, one.previousStatus], [1, 'transaction.pending', null]);
  assert.deepEqual(one.transaction, transactionBody(row(1)));

  const second = next();
  await sent(2);
  await recordNow(paid(row(1)));
  const two = await second;
  assert.deepEqual([two.sequence, two.type, two.previousStatus], [2, 'transaction.completed', 'pending']);
  assert.deepEqual(two.transaction, transactionBody(paid(row(1))));
});
