import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ArgumentError,
  CursorExpiredError,
  CursorMalformedError,
  type SavedPosition,
  ServiceError,
  type Transaction,
  UnexpectedResponseError,
} from '../../client/src/index.ts';
import { transactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import { compareInList } from '../model/transactions.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { answer, answering, clientOf, clientOn, fetchFrom } from '../rig/http/client.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';

function rowsAt(count: number, createdAtMs: (index: number) => number = () => DAY('2026-03-01')) {
  return Array.from({ length: count }, (_, index) =>
    transaction('store-1', String(index).padStart(3, '0'), { createdAtMs: createdAtMs(index) }),
  );
}

async function appWith(recorded: ReturnType<typeof rowsAt>, cursorLifetimeSeconds = 60) {
  const app = await buildTestApp({ config: { ...testConfig, cursorLifetimeSeconds } });
  await record(app.store, recorded);
  const key = await app.makeKey('store-1');
  const expected = recorded.toSorted(compareInList).map(transactionBody);
  return { app, key, expected, ...clientOf(app, key) };
}

test('a list sends no request before it is read, and its pages say whether more follow', async () => {
  const { client, requests, expected } = await appWith(rowsAt(25));
  const list = client.transactions.list();
  assert.deepEqual(requests, []);
  const pages = await Array.fromAsync(list.pages());
  assert.equal(requests.length, 3);
  assert.deepEqual(
    pages.map(({ data, hasMore }) => [data, hasMore]),
    [0, 10, 20].map((first) => [expected.slice(first, first + 10), first < 20]),
  );
});

test('an empty list is one empty page for page(), and none for pages()', async () => {
  const { client } = await appWith([]);
  assert.deepEqual(await client.transactions.list().page(), { data: [], hasMore: false });
  assert.deepEqual(await Array.fromAsync(client.transactions.list().pages()), []);
  assert.deepEqual(await Array.fromAsync(client.transactions.list()), []);
});

test('a list, its pages and totals say that transactions are archived, even those of days that a list skips', async () => {
  const archivedBefore = '2025-06-01';
  const { client: found, key, app } = await appWith(rowsAt(1));
  const fetch = fetchFrom(app);
  const { client } = clientOn(async (url, init) => {
    const answer = await fetch(url, init);
    const from = new URL(url).searchParams.get('from');
    const isArchived = answer.status === 200 && (from === null || from < archivedBefore);
    const text = async () =>
      JSON.stringify({ ...JSON.parse(await answer.text()), ...(isArchived && { archivedBefore }) });
    return { ...answer, text };
  }, key);
  assert.equal((await found.transactions.list().page()).archivedBefore, undefined);
  assert.equal((await client.totals()).archivedBefore, archivedBefore);
  for (const [from, expected] of [
    ['2025-01-01', archivedBefore],
    [archivedBefore, undefined],
  ] as const) {
    const list = client.transactions.list({ from, to: '2026-12-31' });
    const pages = await Array.fromAsync(list.pages());
    assert.deepEqual([list.archivedBefore, pages.length], [expected, 1]);
  }
  assert.equal((await client.transactions.list({}).page()).archivedBefore, archivedBefore);
});

test('filters are sent only in the first request, because a cursor contains them', async () => {
  const { client, requests } = await appWith(rowsAt(15));
  await Array.fromAsync(
    client.transactions.list({ status: 'completed', currency: 'EUR', from: '2026-01-01' }),
  );
  assert.equal(requests[0], '/v1/transactions?status=completed&currency=EUR&from=2026-01-01');
  assert.match(requests[1] ?? '', /^\/v1\/transactions\?cursor=[\w-]+$/);
});

test('a range of thousands of years with few transactions needs few requests', async () => {
  const recorded = rowsAt(4, (index) => Date.UTC(2026 - index * 300, 5, 1));
  const { client, requests, expected } = await appWith(recorded);
  assert.deepEqual(
    await Array.fromAsync(client.transactions.list({ from: '0001-01-01', to: '9999-12-31' })),
    expected,
  );
  assert.ok(requests.length < 20, `${requests.length} requests`);
  const first = await Array.fromAsync(client.transactions.list({ from: '1126-06-01', to: '2026-12-31' }));
  assert.deepEqual(first, expected);
  const later = await Array.fromAsync(client.transactions.list({ from: '1126-06-02', to: '2026-12-31' }));
  assert.deepEqual(later, expected.slice(0, 3));
});

test('if the remaining rows of a part no longer match, the list goes on with older days, in its own time zone', async () => {
  const createdAtMs = (index: number) => DAY(index === 0 ? '2026-04-01' : '2026-04-02') + 5 * 3_600_000;
  const recorded = rowsAt(12, createdAtMs).map((row) => ({ ...row, status: 'pending', paidAtMs: null }));
  const { app, client, expected } = await appWith(recorded);
  const days = { from: '2026-01-01', to: '2026-06-30', timeZone: 'Pacific/Honolulu' };
  const list = client.transactions.list({ status: 'pending', ...days });
  const { data } = await list.page();
  await record(app.store, [{ ...(recorded[1] as (typeof recorded)[0]), status: 'completed', paidAtMs: 0 }]);
  assert.deepEqual([...data, ...(await Array.fromAsync(list))], expected.toSpliced(10, 1));
});

test('a list whose cursors expire before they can be used fails instead of continuing forever', async () => {
  const { app, key } = await appWith(rowsAt(60));
  const fetch = fetchFrom(app);
  const { client, requests } = clientOn((url, init) => {
    if (url.includes('cursor=')) app.clock.advance(60_000);
    return fetch(url, init);
  }, key);
  await assert.rejects(Array.fromAsync(client.transactions.list()), CursorExpiredError);
  assert.ok(requests.length < 10);
});

test('a saved position that is damaged, of another version or of another account is refused', async () => {
  const { app, client } = await appWith(rowsAt(15));
  const list = client.transactions.list();
  await list.page();
  const saved = list.toJSON();
  for (const wrong of [
    null,
    {},
    { ...saved, version: 2 },
    { ...saved, last: { createdAt: 'yesterday', reference: 'a' } },
    { ...saved, last: undefined },
    { ...saved, next: { to: 1, cursor: null } },
    { ...saved, filters: null },
    { ...saved, filters: { status: 7 } },
    { ...saved, filters: { cursor: 'a' } },
  ]) {
    assert.throws(
      () => client.transactions.resume(wrong as SavedPosition),
      ArgumentError,
      JSON.stringify(wrong),
    );
  }
  const otherAccount = clientOf(app, await app.makeKey('store-2')).client;
  await assert.rejects(otherAccount.transactions.resume(saved).page(), CursorMalformedError);
});

test('a failed page loses nothing: the same list continues after the last transaction that it returned', async () => {
  const { app, key, expected } = await appWith(rowsAt(35));
  const fetch = fetchFrom(app);
  let failing = false;
  const { client } = clientOn(async (url, init) => (failing ? answer(503) : fetch(url, init)), key);
  const list = client.transactions.list();
  const seen: Transaction[] = [];
  const read = async () => {
    for await (const one of list) if (seen.push(one) % 7 === 0) failing = true;
  };
  for (let failures = 0; failures < 3; failures++) {
    await assert.rejects(read(), ServiceError);
    failing = false;
  }
  await read();
  assert.deepEqual(seen, expected);
});

test('a list that is out of order or repeats a row is refused before a row is returned', async () => {
  const body = (name: string) => transactionBody(transaction('store-1', name));
  for (const names of [
    ['1', '2'],
    ['2', '2'],
  ]) {
    const { client } = answering(200, { data: names.map(body), nextCursor: null, hasMore: false });
    await assert.rejects(client.transactions.list().page(), UnexpectedResponseError);
  }
});

test('a list has one reader at a time, even while a transaction is buffered', async () => {
  const { client, expected } = await appWith(rowsAt(12));
  const list = client.transactions.list();
  const first = list.page();
  await assert.rejects(list.page(), ArgumentError);
  assert.deepEqual((await first).data, expected.slice(0, 10));
  assert.deepEqual((await list.page()).data, expected.slice(10));

  const other = client.transactions.list();
  const firstOf = async () => {
    for await (const one of other) return one;
    return undefined;
  };
  for (const wanted of expected) {
    const reading = firstOf();
    await assert.rejects(firstOf(), ArgumentError);
    assert.deepEqual(await reading, wanted);
  }
  assert.equal(await firstOf(), undefined);
});
