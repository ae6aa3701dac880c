import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { connectAssistant } from '../mcp/assistant.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import { buildTestApp, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { archive } from '../rig/store/archive.ts';

const FLOOR = '2026-03-03';
const ROWS = ['one', 'two', 'three', 'four'].map((name, day) =>
  transaction('store-1', name, {
    createdAtMs: DAY(`2026-03-0${day + 1}`),
    ...(name !== 'four' && { relatedTo: 'store-1.four' }),
  }),
);

async function openedStore(t: TestContext) {
  const { path, remove } = temporaryFolder();
  const url = `sqlite:${path}/t.db`;
  const { store } = await openStore(url, Date.now);
  t.after(async () => {
    await store.close();
    remove();
  });
  await record(store, ROWS);
  const beforeMs = DAY(FLOOR);
  return { store, archive: () => archive(['store-1'], { url, store, folder: `${path}/files`, beforeMs }) };
}

function after(store: Store, calls: number, then: () => Promise<unknown>): { store: Store; calls(): number } {
  let made = 0;
  const get = (target: Store, name: PropertyKey) => {
    const call: unknown = Reflect.get(target, name);
    if (typeof call !== 'function') return call;
    return (...given: unknown[]) => {
      const result: unknown = call.apply(target, given);
      if (!(result instanceof Promise) || ++made !== calls) return result;
      return result.finally(then);
    };
  };
  return { store: new Proxy(store, { get }), calls: () => made };
}

const READS: readonly (readonly [url: string, before: number, after: number])[] = [
  ['/v1/transactions', 4, 2],
  ['/v1/transactions?to=2026-03-02', 2, 0],
  ['/v1/transactions/store-1.four/related', 3, 1],
  ['/v1/search?text=one', 1, 0],
  ['/v1/totals', 4, 2],
  ['/v1/totals?by=day&timeZone=Europe/Berlin', 4, 2],
  ['/v1/totals?timeZone=Asia/Kolkata&from=2026-03-01', 4, 2],
  ['/v1/totals?paidFrom=2026-01-01', 4, 2],
];

for (const [url, before, left] of someInTier(READS, 2))
  test(`while an archive runs, ${url} shows the state before it, or the state after it with archivedBefore`, async (t) => {
    let last = 0;
    for (let calls = 1; calls === 1 || calls <= last; calls++) {
      const opened = await openedStore(t);
      const key = await (await buildTestApp({ store: opened.store })).makeKey('store-1');
      const watched = after(opened.store, calls, opened.archive);
      const app = await buildTestApp({ store: watched.store });
      const { status, body } = await app.send(url, { key });
      assert.equal(status, 200);
      last = watched.calls();
      const found = body.data.reduce((sum: number, { count = 1 }) => sum + count, 0);
      const expected = body.archivedBefore === undefined ? [before] : [before, left];
      assert.ok(expected.includes(found), `${found} after call ${calls}`);
    }
    assert.ok(last > 0);
  });

test('404: the response names the first day that is not archived, for assistants too', async (t) => {
  const opened = await openedStore(t);
  await opened.archive();
  const app = await buildTestApp({ store: opened.store });
  const key = await app.makeKey('store-1');
  for (const path of ['store-1.one', 'store-1.one/changes', 'one.json']) {
    const { status, body } = await app.send(`/v1/transactions/${path}`, { key });
    assert.equal(status, 404);
    assert.match(body.detail, /created before 2026-03-03 \(UTC\) are archived/);
  }
  const operator = await buildTestOperatorApp(opened.store, testClock());
  const removed = await operator.send('/v1/accounts/store-1/transactions/store-1.one/details', {
    method: 'DELETE',
  });
  assert.equal(removed.status, 404);
  assert.match(removed.body.detail, /created before 2026-03-03 \(UTC\) are archived/);

  const assistant = await connectAssistant(app, key);
  for (const [name, given] of [
    ['list_transactions', {}],
    ['find_transactions', { text: 'one' }],
    ['totals', {}],
    ['get_transaction', { reference: 'store-1.four' }],
  ] as const) {
    const { structuredContent, content } = await assistant.call(name, given);
    assert.equal(structuredContent?.archivedBefore, FLOOR, `${name}: ${content[0]?.text}`);
  }
  const { isError, content } = await assistant.call('get_transaction', { reference: 'store-1.one' });
  assert.equal(isError, true);
  assert.match(content[0]?.text ?? '', /created before 2026-03-03/);
});

test('410 changes_archived: a reader below the floor learns the floor, and an export with the changes after it is complete', async (t) => {
  const opened = await openedStore(t);
  await opened.archive();
  const app = await buildTestApp({ store: opened.store });
  const key = await app.makeKey('store-1', { scopes: ['read', 'webhooks'] });
  for (const query of ['', '?after=0&wait=30', '?after=1&limit=1']) {
    const { status, body } = await app.send(`/v1/changes${query}`, { key });
    assert.deepEqual([status, body.code, body.floorSequence], [410, 'changes_archived', 2]);
    assert.equal(body.errors[0].parameter, 'after');
  }
  const { status, body: page } = await app.send('/v1/changes?after=2', { key });
  assert.equal(status, 200);
  assert.deepEqual(
    page.data.map(({ sequence }: { sequence: number }) => sequence),
    [3, 4],
  );
  const { headers, text } = await app.send('/v1/transactions.csv', { key });
  assert.equal(text.trim().split('\r\n').length, 3);
  const { body: manifest } = await app.send(`/v1/exports/${headers['export-id']}`, { key });
  assert.deepEqual([headers['export-archived-before'], manifest.archivedBefore], [FLOOR, FLOOR]);
  const position = `after=${headers['export-as-of']}&afterId=${headers['export-as-of-id']}`;
  const { body: end } = await app.send(`/v1/changes?${position}`, { key });
  assert.deepEqual([end.data, end.lastSequence], [[], 4]);
  const replayed = await app.send('/v1/changes?after=2&afterId=chg_AAAAAAAAAAAAAAAAAAAAAA', { key });
  assert.deepEqual([replayed.status, replayed.body.code], [409, 'history_changed']);

  const post = (path: string, sent: object) =>
    app.send(`/v1/webhooks${path}`, { method: 'POST', key, body: sent });
  const { body: endpoint } = await post('', { url: 'https://shop.example/webhooks' });
  assert.equal(endpoint.acknowledgedSequence, 4);
  for (const [after, code] of [
    [5, 'sequence_ahead'],
    [2, undefined],
    [1, 'changes_archived'],
  ])
    assert.equal((await post(`/${endpoint.id}/replay`, { after })).body.code, code);
});
