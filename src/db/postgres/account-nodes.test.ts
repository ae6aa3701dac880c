import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountNodes } from './account-nodes.ts';
import { workerOf } from './shards.ts';

const SHARDS = [
  { from: -(2 ** 31), worker: 'one:5432' },
  { from: 0, worker: 'two:5432' },
  { from: 2 ** 30, worker: 'one:5432' },
];

test('an account is on the worker with the shard of its hash', () => {
  assert.equal(workerOf(SHARDS, '0123456789ab'), 'one:5432');
  assert.equal(workerOf(SHARDS, 'acct-1'), 'one:5432');
  for (const [from, worker] of [
    [1178743098, 'two:5432'],
    [1178743099, 'one:5432'],
  ] as const)
    assert.equal(workerOf([SHARDS[0], { from, worker: 'two:5432' }] as typeof SHARDS, 'acct-1'), worker);
});

test('each worker has one store, and a single node has only the shared one', () => {
  let made = 0;
  const readShards = async () => SHARDS;
  const options = { shared: 'shared', make: () => `store ${++made}`, readShards };
  const stores = accountNodes({
    ...options,
    shards: [SHARDS[0], { from: 1178743098, worker: 'two:5432' }] as typeof SHARDS,
  });
  assert.equal(stores.of('acct-1'), 'store 1');
  assert.equal(stores.of('0123456789ab'), 'store 2');
  assert.equal(stores.of('acct-1'), 'store 1');
  assert.deepEqual(stores.all, ['shared', 'store 1', 'store 2']);
  assert.deepEqual(stores.nodes, ['one:5432', 'two:5432']);
  assert.deepEqual(
    ['two:5432', ''].map((node) => stores.at(node)),
    ['store 1', 'shared'],
  );
  for (const shards of [[], SHARDS.slice(0, 1)]) {
    const single = accountNodes({ ...options, shards });
    assert.equal(single.nodeOf('acct-1'), '');
    assert.equal(single.of('acct-1'), 'shared');
    assert.deepEqual(single.nodes, ['']);
  }
});
