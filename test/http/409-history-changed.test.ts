import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeId } from '../../src/ledger/changes/change.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { pending } from '../rig/data/changes.ts';
import { record } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const CHANGES = '/v1/changes';

/** A database with the same transaction for each number, and one commit with each nonce. */
async function databaseWith(...nonces: number[]): Promise<Store> {
  const left = [...nonces];
  const drawNonce = () => left.shift() ?? assert.fail('a commit too many');
  const { store } = await openStore(IN_MEMORY_URL, () => 0, { drawNonce });
  for (const [index] of nonces.entries()) await record(store, [pending('store-1', `r${index + 1}`)]);
  return store;
}

/** A service whose database can be replaced by another one while it runs. */
async function serveReplaceable(first: Store) {
  let database = first;
  const store = storeWith(first, {
    listChanges: (query) => database.listChanges(query),
    readHeads: (accounts) => database.readHeads(accounts),
  });
  const app = await buildTestApp({ store });
  const key = await app.makeKey('store-1');
  const get = (query: string) => app.send(`${CHANGES}?${query}`, { key });
  const restore = (other: Store) => {
    database = other;
  };
  return { app, get, restore };
}

test('409 history_changed: the same transactions that are recorded again after a restore are other changes', async () => {
  const { get, restore } = await serveReplaceable(await databaseWith(1, 2, 3, 4));
  const ids = (await get('')).body.data.map(({ id }: { id: string }) => id);
  const at = (after: number, more = '') => get(`after=${after}&afterId=${ids[after - 1]}${more}`);
  for (const after of [1, 2, 3, 4]) assert.equal((await at(after)).status, 200);
  restore(await databaseWith(1, 2, 30, 40, 50));
  for (const after of [1, 2]) assert.equal((await at(after)).status, 200);
  for (const after of [3, 4])
    for (const more of ['', '&wait=30', '&limit=1']) {
      const { status, body } = await at(after, more);
      assert.deepEqual([status, body.code, body.headSequence], [409, 'history_changed', 5]);
      assert.deepEqual(
        body.errors.map(({ parameter, code }: Record<string, string>) => [parameter, code]),
        [['afterId', 'history_changed']],
      );
      assert.match(body.detail, new RegExp(`^Change ${after} .* another id\\. .*between 0 and ${after}, `));
    }
});

test('409 history_changed: a change beyond the head does not exist', async () => {
  const { get, restore } = await serveReplaceable(await databaseWith(1, 2, 3));
  const { lastId } = (await get('')).body;
  restore(await databaseWith(1, 2));
  for (const query of [`after=3&afterId=${lastId}`, `after=9&afterId=${lastId}`]) {
    const { status, body } = await get(query);
    assert.deepEqual([status, body.code, body.headSequence], [409, 'history_changed', 2], query);
    assert.match(body.detail, /This account has no change \d: its last one has the number 2\./);
  }
  // Without the id, as ever.
  assert.deepEqual((await get('after=3')).body.code, 'sequence_ahead');
  assert.equal((await get('after=2')).status, 200);
});

test('409 history_changed: the id of another account is none of this one', async () => {
  const { get } = await serveReplaceable(await databaseWith(1));
  assert.equal((await get(`after=1&afterId=${changeId('store-1', { sequence: 1, nonce: 1 })}`)).status, 200);
  assert.equal((await get(`after=1&afterId=${changeId('store-2', { sequence: 1, nonce: 1 })}`)).status, 409);
});

test('409 history_changed: a restore during a wait is noticed, with and without further recordings', async () => {
  for (const nonces of [[1, 20], [1, 20, 30], [1]]) {
    const { app, get, restore } = await serveReplaceable(await databaseWith(1, 2));
    const { lastId } = (await get('')).body;
    const waiting = get(`after=2&afterId=${lastId}&wait=1`);
    while (app.changeWatcher.waiting === 0) await new Promise(setImmediate);
    restore(await databaseWith(...nonces));
    app.changeWatcher.noteRecorded('store-1');
    const { status, body } = await waiting;
    assert.deepEqual([status, body.code], [409, 'history_changed'], nonces.join());
  }
});

test('400 invalid_change_id: an id that no change can have', async () => {
  const { get } = await serveReplaceable(await databaseWith(1));
  for (const id of ['', '1', 'msg_1', 'chg_', 'chg_%20'])
    assert.deepEqual((await get(`after=1&afterId=${id}`)).body.code, 'invalid_change_id', id);
  const afterId = changeId('store-1', { sequence: 1, nonce: 1 });
  for (const query of [`after=0&afterId=${afterId}`, `afterId=${afterId}`]) {
    const { status, body } = await get(query);
    assert.deepEqual([status, body.code, body.errors.length], [400, 'invalid_change_id', 1]);
    assert.match(body.detail, /no change 0, .* Leave afterId out/);
  }
  assert.equal((await get(`after=x&afterId=${afterId}`)).body.code, 'invalid_sequence');
});
