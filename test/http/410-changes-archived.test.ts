import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { archive } from '../rig/store/archive.ts';

const ROWS = ['a', 'b', 'c', 'd'].map((name, day) =>
  transaction('store-1', name, { createdAtMs: DAY(`2026-03-0${day + 1}`) }),
);

/** A store whose first two of four transactions are archived. */
async function archivedStore(t: TestContext) {
  const { path, remove } = temporaryFolder();
  const url = `sqlite:${path}/t.db`;
  const { store } = await openStore(url, Date.now);
  t.after(async () => {
    await store.close();
    remove();
  });
  await record(store, ROWS);
  await archive(['store-1'], { url, store, folder: `${path}/files`, beforeMs: DAY('2026-03-03') });
  return store;
}

test('410 changes_archived: a reader below the floor learns where it is, and an export and the changes after it are whole', async (t) => {
  const store = await archivedStore(t);
  const app = await buildTestApp({ store });
  const key = await app.makeKey('store-1');
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
  const position = `after=${headers['export-as-of']}&afterId=${headers['export-as-of-id']}`;
  const { body: end } = await app.send(`/v1/changes?${position}`, { key });
  assert.deepEqual([end.data, end.lastSequence], [[], 4]);
  const replayed = await app.send('/v1/changes?after=2&afterId=chg_AAAAAAAAAAAAAAAAAAAAAA', { key });
  assert.deepEqual([replayed.status, replayed.body.code], [409, 'history_changed']);
});

test('422: an archived transaction is not recorded again; one that is left is repeated', async (t) => {
  const store = await archivedStore(t);
  const app = await buildTestOperatorApp(store, testClock());
  const put = (row: (typeof ROWS)[number], createdAt: string) =>
    app.send(`/v1/accounts/store-1/transactions/${row.reference}`, {
      method: 'PUT',
      body: {
        merchantReference: null,
        status: 'completed',
        amount: '12.50',
        currencyCode: 'EUR',
        paidAt: createdAt,
        createdAt,
      },
    });
  const refused = await put(ROWS[0] as (typeof ROWS)[number], '2026-03-01T00:00:00.000Z');
  assert.equal(refused.status, 422);
  assert.deepEqual(
    refused.body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
    [['/createdAt', 'archived']],
  );
  assert.match(refused.body.detail, /created before 2026-03-03 were archived/);
  assert.equal((await put(ROWS[2] as (typeof ROWS)[number], '2026-03-03T00:00:00.000Z')).status, 200);
  assert.equal((await store.readHeads(['store-1'])).get('store-1'), 4);
});
