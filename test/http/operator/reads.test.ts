import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OPERATIONS } from '../../../src/service/operations.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { DAY, record, transaction } from '../../rig/data/transactions.ts';
import { listen } from '../../rig/http/connection.ts';
import { buildTestApp, type TestResponse, testClock } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { someEntry } from '../../rig/store/audit.ts';
import { storeWith } from '../../rig/store/store-with.ts';

/* What the operator's listener reads of an account, and what that has to do with what the account reads itself. */

const GET = { method: 'GET' } as const;
const ROOT = '/v1/accounts/store-1';

/** Both listeners on a store with some transactions of store-1 and one of store-2. */
async function serve() {
  const app = await buildTestApp();
  const rows = Array.from({ length: 25 }, (_, index) =>
    transaction('store-1', `pay_${index}`, {
      createdAtMs: DAY('2026-03-01') + index,
      status: index % 4 === 0 ? 'pending' : 'completed',
      merchantReference: `order-${index % 2}`,
    }),
  );
  await record(app.store, [...rows, transaction('store-2', 'other')]);
  const operator = await buildTestOperatorApp(app.store, app.clock);
  return { app, operator, key: await app.makeKey('store-1') };
}

/** The queries of each reading operation that both listeners have: right ones and wrong ones. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  listTransactions: ['', 'status=pending', 'merchantReference=order-1', 'limit=3', 'from=2026-13-01'],
  retrieveTransaction: ['', 'status=pending'],
  searchTransactions: ['text=order-1', 'amount=12.50', '', 'text=a'],
  listTransactionChanges: ['', 'limit=3', 'cursor=x'],
  listRelatedTransactions: [''],
  listChanges: ['', 'after=3&limit=2', 'after=26', 'after=-1', 'after=1&afterId=chg_0000000000000000000000'],
  readTotals: ['', 'by=day&timeZone=Europe/Berlin', 'merchantReference=order-1', 'by=year'],
  readSeal: [''],
  exportCsv: ['', 'status=pending', 'paidFrom=2026-03-01', 'spreadsheet=1', 'resume=exp_0000000000000000'],
  exportNdjson: ['', 'currency=EUR', 'after=x'],
  retrieveExport: ['', 'format=csv'],
};

/** What differs between any two requests: ids of the request and of the export, and the path of a link. */
const comparable = ({ status, headers, text }: TestResponse) => ({
  status,
  type: headers['content-type'],
  asOf: headers['export-as-of-id'],
  link: headers['link']?.replace(ROOT, '/v1').replace(/cursor=[\w-]+/, ''),
  text: text
    .replaceAll(ROOT, '/v1')
    .replaceAll(/"(requestId|nextCursor|id|resume|startedAt|finishedAt)":"[^"]*"/g, '')
    .replaceAll(/exp_\w+/g, ''),
});

test('each operation that both listeners have answers the operator as it answers the account', async () => {
  const { app, operator, key } = await serve();
  const exported = await app.send('/v1/transactions.csv', { key });
  const values: Record<string, string> = {
    ':reference': 'store-1.pay_4',
    ':id': String(exported.headers['export-id']),
  };
  const both = OPERATIONS.filter(
    (one) => one.method === 'GET' && one.public && one.operator?.path.includes('/:account/'),
  );
  assert.deepEqual(both.map((one) => one.public?.id).sort(), Object.keys(QUERIES).sort());
  for (const { public: offer } of both)
    for (const query of QUERIES[offer?.id ?? ''] ?? []) {
      const path = `${offer?.path.replace(/:\w+/, (name) => values[name] as string)}?${query}`;
      const own = await app.send(path, { key });
      const read = await operator.send(path.replace('/v1', ROOT), GET);
      assert.deepEqual(comparable(read), comparable(own), path);
    }
});

test('an account that nobody recorded for has no changes, no totals and an empty export, as it has an empty list', async () => {
  const { operator } = await serve();
  const get = (path: string) => operator.send(`/v1/accounts/nobody${path}`, GET);
  const changes = { data: [], lastSequence: 0, lastId: null, headSequence: 0, hasMore: false };
  assert.deepEqual((await get('/changes')).body, changes);
  assert.deepEqual((await get('/totals')).body, { data: [], asOf: 0, asOfId: null });
  assert.match((await get('/transactions.csv')).text, /^reference,[\w,]+\r\n$/);
  assert.equal((await get('/transactions/none/changes')).status, 404);
});

test('an export belongs to its account: the operator and the account retrieve it, and it is not one of another account', async () => {
  const { app, operator, key } = await serve();
  const whole = await app.send('/v1/transactions.csv', { key });
  const read = await operator.send(`${ROOT}/transactions.csv`, GET);
  const [own, operators] = [whole, read].map(({ headers }) => String(headers['export-id'])) as [
    string,
    string,
  ];
  for (const id of [own, operators]) {
    const { status, body } = await operator.send(`${ROOT}/exports/${id}`, GET);
    assert.deepEqual([status, body.state, body.rows], [200, 'complete', 25]);
    assert.deepEqual((await app.send(`/v1/exports/${id}`, { key })).body, body);
    assert.equal((await operator.send(`/v1/accounts/store-2/exports/${id}`, GET)).status, 404);
    const other = await app.makeKey('store-2');
    assert.equal((await app.send(`/v1/exports/${id}`, { key: other })).status, 404);
  }
});

test('two exports of an account run at once for the operator, apart from those of the account', async (t) => {
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

test('a wait of the operator ends with the first change of its account, and when its key is revoked', async () => {
  const { app, operator } = await serve();
  const untilWaiting = async (callers: number) => {
    while (operator.changeWatcher.waiting !== callers) await nextTurn();
  };
  const woken = operator.send(`${ROOT}/changes?after=25&wait=30`, GET);
  const other = operator.send('/v1/accounts/store-2/changes?after=1&wait=30', GET);
  await untilWaiting(2);
  await record(app.store, [transaction('store-1', 'new')]);
  operator.changeWatcher.noteRecorded('store-1');
  assert.equal((await woken).body.lastSequence, 26);
  operator.announceStop();
  assert.deepEqual((await other).body.data, []);
});

test('401: a key that is revoked meanwhile ends a wait', async () => {
  const { app, operator } = await serve();
  const key = await operator.makeKey({ id: 'key_00000000000000aa', scopes: ['read'] });
  await operator.keyCache.refresh();
  const waiting = operator.send(`${ROOT}/changes?after=25&wait=30`, { ...GET, key });
  while (operator.changeWatcher.waiting !== 1) await nextTurn();
  await app.store.revokeApiKey('key_00000000000000aa', app.clock.now(), someEntry());
  await operator.keyCache.refresh();
  const { status, body } = await waiting;
  assert.deepEqual([status, body.code], [401, 'invalid_api_key']);
});
