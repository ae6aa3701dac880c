import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';

const LIST = '/v1/transactions';
const DAY_MS = 86_400_000;

test('400 cursor_malformed: for an expired cursor of a removed secret there is no resume; paging continues through a rotation', async () => {
  const [old, fresh] = ['old', 'new'].map((name) => `${name} secret of at least 32 characters`) as [
    string,
    string,
  ];
  const { store, clock, makeKey } = await buildTestApp();
  const rows = Array.from({ length: 15 }, (_, index) => transaction('store-1', `r${index}`));
  await record(store, rows);
  const key = await makeKey('store-1');
  const get = async (cursorSecrets: string[], url: string) =>
    (await (await buildTestApp({ cursorSecrets, store, clock })).send(url, { key })).body;
  const next = `${LIST}?cursor=${(await get([old], LIST)).nextCursor}`;
  assert.equal((await get([fresh, old], next)).data?.length, 5);
  clock.advance(DAY_MS);
  const removed = await get([fresh], next);
  assert.deepEqual([removed.code, removed.resume], ['cursor_malformed', undefined]);
  assert.equal((await get([fresh], (await get([fresh, old], next)).resume)).data?.length, 5);
});
