import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp } from '../rig/service/app.ts';
import { someEntry } from '../rig/store/audit.ts';

const LIST = '/v1/transactions';
const PAGES = 12;
const [OLD, NEW] = ['the old secret, which is long enough', 'the new secret, which is long enough'];

/** Two instances on one database, which are replaced one after another, as in a rollout. */
async function rollout(
  steps: readonly (readonly string[])[],
): Promise<{ statuses: number[]; rows: string[] }> {
  const first = await buildTestApp({ cursorSecrets: [OLD] });
  const { store, clock } = first;
  const instances: TestApp[] = [first, await buildTestApp({ store, clock, cursorSecrets: [OLD] })];
  await record(
    store,
    Array.from({ length: PAGES * 10 }, (_, index) => transaction('store-1', String(index).padStart(3, '0'))),
  );
  const key = await first.makeKey('store-1');
  const replacements = steps.flatMap((cursorSecrets) => [0, 1].map((index) => ({ index, cursorSecrets })));

  const statuses: number[] = [];
  const rows: string[] = [];
  let query = '';
  for (let page = 0; page < PAGES; page++) {
    // Both instances are queried for every page. The walk continues with the cursor of each in turn.
    const responses = await Promise.all(instances.map((one) => one.send(`${LIST}${query}`, { key })));
    statuses.push(...responses.map(({ status }) => status));
    const { body } = responses[page % 2] as (typeof responses)[0];
    if (body.data === undefined) break;
    rows.push(...body.data.map(({ reference }: { reference: string }) => reference));
    query = `?cursor=${body.nextCursor}`;
    const next = page % 2 === 1 ? replacements.shift() : undefined;
    if (next === undefined) continue;
    instances[next.index] = await buildTestApp({ store, clock, cursorSecrets: next.cursorSecrets });
  }
  return { statuses, rows };
}

test('200: a cursor secret is rotated while lists are read, in three rollouts without a failed request', async () => {
  const { statuses, rows } = await rollout([[OLD, NEW], [NEW, OLD], [NEW]]);
  assert.deepEqual(statuses, new Array(PAGES * 2).fill(200));
  assert.equal(new Set(rows).size, PAGES * 10);
});

test('400: with fewer rollouts, an instance refuses cursors that another has sealed with the new secret', async () => {
  const { statuses } = await rollout([[NEW, OLD]]);
  assert.ok(statuses.includes(400));
});

test('200: a key is replaced while lists are read: the new key works with the cursors of the old one', async () => {
  const app = await buildTestApp();
  await record(
    app.store,
    Array.from({ length: 30 }, (_, index) => transaction('store-1', `r${index}`)),
  );
  const [before, next] = [
    await app.makeKey('store-1', { id: 'key_0000000000000001' }),
    await app.makeKey('store-1', { id: 'key_0000000000000002' }),
  ];
  const { body: first } = await app.send(LIST, { key: before });
  const { status, body: second } = await app.send(`${LIST}?cursor=${first.nextCursor}`, { key: next });
  assert.equal(status, 200);
  await app.store.revokeApiKey('key_0000000000000001', app.clock.now(), someEntry());
  await app.keyCache.refresh();
  assert.equal((await app.send(`${LIST}?cursor=${second.nextCursor}`, { key: before })).status, 401);
  assert.equal((await app.send(`${LIST}?cursor=${second.nextCursor}`, { key: next })).status, 200);
});
