import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SAMPLE } from '../../test/rig/transactions.ts';
import { workerOf } from '../db/postgres/shards.ts';
import type { RecordResult } from '../ledger/record/transaction-recorder.ts';
import { AccountStores, readHeadsOnWorkers, recordOnWorkers } from './account-stores.ts';

const SHARDS = [
  { from: -(2 ** 31), worker: 'one:5432' },
  { from: 0, worker: 'two:5432' },
  { from: 2 ** 30, worker: 'one:5432' },
];

test('an account is on the worker with the shard of its hash', () => {
  // Hashes: see hash-text.test.ts.
  assert.equal(workerOf(SHARDS, '0123456789ab'), 'one:5432');
  assert.equal(workerOf(SHARDS, 'acct-1'), 'one:5432');
  assert.equal(
    workerOf(
      [
        { from: -(2 ** 31), worker: 'one:5432' },
        { from: 1178743098, worker: 'two:5432' },
      ],
      'acct-1',
    ),
    'two:5432',
  );
  assert.equal(
    workerOf(
      [
        { from: -(2 ** 31), worker: 'one:5432' },
        { from: 1178743099, worker: 'two:5432' },
      ],
      'acct-1',
    ),
    'one:5432',
  );
});

test('each worker has one store, and a single server none but the shared one', () => {
  let made = 0;
  const readShards = async () => SHARDS;
  const options = { shared: 'shared', make: () => `store ${++made}`, readShards };
  const stores = new AccountStores({
    ...options,
    shards: [SHARDS[0], { from: 1178743098, worker: 'two:5432' }] as typeof SHARDS,
  });
  assert.equal(stores.of('acct-1'), 'store 1');
  assert.equal(stores.of('0123456789ab'), 'store 2');
  assert.equal(stores.of('acct-1'), 'store 1');
  assert.deepEqual(stores.all, ['shared', 'store 1', 'store 2']);
  assert.deepEqual(stores.servers, ['one:5432', 'two:5432']);
  assert.deepEqual(
    ['two:5432', ''].map((server) => stores.at(server)),
    ['store 1', 'shared'],
  );
  assert.deepEqual(
    [...stores.group(['acct-1', '0123456789ab', 'acct-1'], (account) => account)],
    [
      ['store 1', ['acct-1', 'acct-1']],
      ['store 2', ['0123456789ab']],
    ],
  );
  for (const shards of [null, [], SHARDS.slice(0, 1)]) {
    const single = new AccountStores({ ...options, shards });
    assert.equal(single.serverOf('acct-1'), '');
    assert.equal(single.of('acct-1'), 'shared');
    assert.deepEqual(single.servers, ['']);
  }
});

test('a store that fails, fails its own transactions and heads alone', async () => {
  const [one, two, three] = ['a', 'b', 'c'].map((reference) => ({ ...SAMPLE, reference })) as [
    typeof SAMPLE,
    typeof SAMPLE,
    typeof SAMPLE,
  ];
  const error = new Error('the worker is gone');
  const fine = {
    recordTransactions: async (own: readonly unknown[]) =>
      own.map((): RecordResult => ({ outcome: 'recorded' })),
    readHeads: async (accounts: readonly string[]) => new Map(accounts.map((account) => [account, 7])),
  };
  const broken = {
    recordTransactions: () => Promise.reject(error),
    readHeads: () => Promise.reject(error),
  };
  const results = await recordOnWorkers(
    new Map([
      [fine, [one, three]],
      [broken, [two]],
    ]),
    [one, two, three],
  );
  assert.deepEqual(results, [{ outcome: 'recorded' }, { outcome: 'failed', error }, { outcome: 'recorded' }]);
  const heads = new Map([
    [broken, ['b']],
    [fine, ['a']],
  ]);
  assert.deepEqual(await readHeadsOnWorkers(heads, 1000), new Map([['a', 7]]));
  const silent = { ...broken, readHeads: () => new Promise<never>(() => {}) };
  assert.deepEqual(
    await readHeadsOnWorkers(
      new Map([
        [silent, ['b']],
        [fine, ['a']],
      ]),
      4,
    ),
    new Map([['a', 7]]),
  );
  assert.deepEqual(await readHeadsOnWorkers(new Map(), 1000), new Map());
  for (const failing of [
    new Map([[broken, ['b']]]),
    new Map([
      [broken, ['b']],
      [{ ...broken }, ['a']],
    ]),
  ])
    await assert.rejects(readHeadsOnWorkers(failing, 1000), error);
});

test('a store that is silent holds the heads of others up for a second at most, also with a long time limit', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const heads = readHeadsOnWorkers(
    new Map([
      [{ readHeads: () => new Promise<never>(() => {}) }, ['b']],
      [{ readHeads: async () => new Map([['a', 7]]) }, ['a']],
    ]),
    60_000,
  );
  t.mock.timers.tick(1000);
  const waiting = Symbol('waiting');
  const turns = (async () => {
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    return waiting;
  })();
  assert.deepEqual(await Promise.race([heads, turns]), new Map([['a', 7]]));
});
