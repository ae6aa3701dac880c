import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../rig/app.ts';
import { storeWith } from '../rig/store-with.ts';
import { record, transaction } from '../rig/transactions.ts';

const CHANGES = '/v1/changes';

const FAULTY: [query: string, parameter: string, code: string][] = [
  ['after=-1', 'after', 'invalid_sequence'],
  ['after=', 'after', 'invalid_sequence'],
  ['after=%00', 'after', 'invalid_sequence'],
  ['after=1.5', 'after', 'invalid_sequence'],
  ['after=9007199254740993', 'after', 'invalid_sequence'],
  ['limit=0', 'limit', 'invalid_limit'],
  ['limit=1001', 'limit', 'invalid_limit'],
  ['limit=ten', 'limit', 'invalid_limit'],
  ['wait=31', 'wait', 'invalid_wait'],
  ['wait=0.5', 'wait', 'invalid_wait'],
  ['wait=30s', 'wait', 'invalid_wait'],
  ['after=1&after=1', 'after', 'duplicate_parameter'],
  ['cursor=1', 'cursor', 'unknown_parameter'],
  ['status=pending', 'status', 'unknown_parameter'],
];

for (const [query, parameter, code] of FAULTY) {
  test(`400 ${code}: ${query}`, async () => {
    const app = await buildTestApp();
    const { status, body } = await app.send(`${CHANGES}?${query}`, { key: await app.makeKey('store-1') });
    assert.deepEqual([status, body.code], [400, code]);
    assert.deepEqual(body.errors, [{ parameter, code, detail: body.detail }]);
  });
}

test('400 invalid_request: all faults are reported together, and nothing is read', async () => {
  const { store } = await buildTestApp();
  const unread = storeWith(store, { listChanges: () => assert.fail('the store was queried') });
  const app = await buildTestApp({ store: unread });
  const key = await app.makeKey('store-1');
  const query = 'after=x&limit=0&wait=1&wait=2&curency=EUR&limt=5';
  const { status, body } = await app.send(`${CHANGES}?${query}`, { key });
  assert.deepEqual([status, body.code], [400, 'invalid_request']);
  assert.deepEqual(
    body.errors.map(({ parameter, code }: { parameter: string; code: string }) => `${parameter} ${code}`),
    [
      'after invalid_sequence',
      'limit invalid_limit',
      'wait duplicate_parameter',
      'curency unknown_parameter',
      'limt unknown_parameter',
    ],
  );
});

test('400: a parameter after more parameters than are read is an error', async () => {
  const app = await buildTestApp();
  const query = `${'x=1&'.repeat(60)}after=0`;
  const { status, body } = await app.send(`${CHANGES}?${query}`, { key: await app.makeKey('store-1') });
  assert.deepEqual([status, body.code], [400, 'invalid_request']);
});

test('400 sequence_ahead: a position beyond the head names the head and what to do, also with wait', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  await record(app.store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
  for (const query of ['after=3', 'after=3&wait=30', 'after=9007199254740991&limit=1']) {
    const { status, body } = await app.send(`${CHANGES}?${query}`, { key });
    assert.deepEqual([status, body.code, body.headSequence], [400, 'sequence_ahead', 2], query);
    assert.match(
      body.detail,
      /the number 2\. .*restored from a backup.* an empty copy and after=0: [^.]*\.$/,
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
