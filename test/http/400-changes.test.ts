import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const CHANGES = '/v1/changes';

test('400 sequence_ahead: a position beyond the head names the head and what to do, also with wait', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  await record(app.store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
  for (const query of ['after=3', 'after=3&wait=30', 'after=9007199254740991&limit=1']) {
    const { status, body } = await app.send(`${CHANGES}?${query}`, { key });
    assert.deepEqual([status, body.code, body.headSequence], [400, 'sequence_ahead', 2], query);
    assert.match(
      body.detail,
      /the number 2\. .*restored from a backup.* as afterId: .* an empty copy and after=0\.$/,
    );
    assert.equal(body.errors[0].code, 'sequence_ahead');
  }
  assert.equal((await app.send(`${CHANGES}?after=2`, { key })).status, 200);
  assert.equal(app.changeWatcher.waiting, 0);
});

test('500 internal_error: a page with a gap is never a response', async () => {
  const { store } = await buildTestApp();
  await record(store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
  const gap = storeWith(store, {
    listChanges: async (query) => {
      const result = await store.listChanges(query);
      return { ...result, changes: result.changes.slice(1) };
    },
  });
  const app = await buildTestApp({ store: gap });
  const { status, body, text } = await app.send(CHANGES, { key: await app.makeKey('store-1') });
  assert.deepEqual([status, body.code], [500, 'internal_error']);
  assert.doesNotMatch(text, /complete/);
  assert.match(app.logged.join(), /the changes after 0 are not complete/);
});
