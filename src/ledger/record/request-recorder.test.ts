import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import type { AccountTransaction } from '../transaction.ts';
import {
  type RecordAlone,
  type RecordOnceOutcome,
  type RecordOutcome,
  type RecordResult,
  recordHeld,
  recordOnce,
} from './record.ts';
import { GroupCommit, reportRecordings } from './request-recorder.ts';

const transaction = (reference: string): AccountTransaction => ({ ...SAMPLE, reference });

const CHANGE = { sequence: 7, nonce: 1 };

function recorder(fails: (references: string[]) => boolean = () => false) {
  const groups: string[][] = [];
  /** Frees the held row of a reference. */
  const free = new Map<string, () => void>();
  return {
    groups,
    free,
    record: async (
      transactions: readonly AccountTransaction[],
      alone?: RecordAlone,
    ): Promise<RecordResult[]> => {
      const references = transactions.map(({ reference }) => reference);
      if (alone?.waits)
        return new Promise((resolve) =>
          free.set(references[0] as string, () => resolve([{ outcome: 'changed', ...CHANGE }])),
        );
      groups.push(references);
      if (fails(references)) throw new Error('the disk is full');
      return references.map((reference) => {
        if (reference.startsWith('refused')) return { outcome: 'failed', error: new Error(reference) };
        if (reference.startsWith('held')) return { outcome: 'held' };
        return reference.startsWith('old') ? { outcome: 'unchanged' } : { outcome: 'recorded', ...CHANGE };
      });
    },
  };
}

const nextTurn = () => Promise.resolve();

test('concurrent recordings are one group, and each caller gets its own outcome', async () => {
  const { groups, free: _, ...port } = recorder();
  const commit = new GroupCommit(port, nextTurn);
  const outcomes = await Promise.all(['a', 'old-b', 'c'].map((name) => commit.record(transaction(name))));
  assert.deepEqual(groups, [['a', 'old-b', 'c']]);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['recorded', 'unchanged', 'recorded'],
  );
});

test('a group has each reference once; later transactions with the same reference follow in order', async () => {
  const { groups, free: _, ...port } = recorder();
  const commit = new GroupCommit(port, nextTurn);
  await Promise.all(['a', 'b', 'a', 'a'].map((name) => commit.record(transaction(name))));
  assert.deepEqual(groups, [['a', 'b'], ['a'], ['a']]);
});

test('groups are bounded, and every transaction is recorded', async () => {
  const { groups, free: _, ...port } = recorder();
  const commit = new GroupCommit(port, nextTurn);
  await Promise.all(Array.from({ length: 1200 }, (_, index) => commit.record(transaction(`r${index}`))));
  assert.deepEqual(
    groups.map(({ length }) => length),
    [500, 500, 200],
  );
});

test('a failed group fails only its own transactions, and the next group continues', async () => {
  const { groups: _, free: __, ...port } = recorder((references) => references.includes('bad'));
  const commit = new GroupCommit(port, nextTurn);
  const first = await Promise.allSettled(['a', 'bad'].map((name) => commit.record(transaction(name))));
  assert.deepEqual(
    first.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal((await commit.record(transaction('a'))).outcome, 'recorded');
});

test('a transaction that fails alone gets its error, and the others their outcomes', async () => {
  const { groups: _, free: __, ...port } = recorder();
  const commit = new GroupCommit(port, nextTurn);
  const outcomes = await Promise.allSettled(
    ['a', 'refused-b', 'c'].map((name) => commit.record(transaction(name))),
  );
  assert.deepEqual(
    outcomes.map((one) => (one.status === 'fulfilled' ? one.value.outcome : one.reason.message)),
    ['recorded', 'refused-b', 'recorded'],
  );
});

test('a transaction whose row is held delays neither its group nor the next one', async () => {
  const { groups, free, ...port } = recorder();
  const commit = new GroupCommit(port, nextTurn);
  const held = commit.record(transaction('held-a'));
  assert.equal((await commit.record(transaction('b'))).outcome, 'recorded');
  assert.equal((await commit.record(transaction('c'))).outcome, 'recorded');
  assert.deepEqual(groups, [['held-a', 'b'], ['c']]);
  free.get('held-a')?.();
  assert.equal((await held).outcome, 'changed');
});

test('nodes have groups of their own: one that does not respond does not delay another', async () => {
  const { groups, free: _, ...port } = recorder();
  const answer = Promise.withResolvers<void>();
  const commit = new GroupCommit(
    {
      ...port,
      nodeOf: (account) => `node of ${account}`,
      record: async (transactions) => {
        if (transactions[0]?.account === 'frozen') await answer.promise;
        return port.record(transactions);
      },
    },
    nextTurn,
  );
  const frozen = commit.record({ ...transaction('a'), account: 'frozen' });
  const later = commit.record({ ...transaction('b'), account: 'frozen' });
  for (const reference of ['c', 'd'])
    assert.deepEqual(await commit.record(transaction(reference)), { outcome: 'recorded', ...CHANGE });
  answer.resolve();
  assert.deepEqual(await frozen, { outcome: 'recorded', ...CHANGE });
  assert.deepEqual(await later, { outcome: 'recorded', ...CHANGE });
  assert.deepEqual(groups, [['c'], ['d'], ['a', 'b']]);
});

const of = (account: string): AccountTransaction => ({ ...SAMPLE, account });
const ONCE = { key: 'a', fingerprint: 'b' };

/** A store whose results the test sets, and the accounts that were reported. */
function rig() {
  const results = {
    group: [] as RecordResult[],
    held: { outcome: 'changed', ...CHANGE } as RecordOutcome,
    once: { outcome: 'recorded', reference: 'r', ...CHANGE } as RecordOnceOutcome,
  };
  const reported: string[] = [];
  const store = {
    record: async (_: unknown, alone?: RecordAlone): Promise<RecordResult[]> => {
      if (alone === undefined) return results.group;
      return [alone.waits ? results.held : results.once];
    },
  };
  const changes: [account: string, reference: string, sequence: number][] = [];
  const reporting = reportRecordings(store, [
    { noteRecorded: (account) => reported.push(account) },
    { noteChange: (account, reference, { sequence }) => changes.push([account, reference, sequence]) },
  ]);
  return { results, reported, changes, store: reporting };
}

test('each account of a group with recorded or changed transactions is reported once, and no other', async () => {
  const { store, results, reported, changes } = rig();
  results.group = [
    { outcome: 'recorded', ...CHANGE },
    { outcome: 'unchanged' },
    { outcome: 'recorded', ...CHANGE, sequence: 8 },
    { outcome: 'held' },
    { outcome: 'changed', ...CHANGE },
    { outcome: 'failed', error: new Error('refused') },
    { outcome: 'conflict', differences: [] },
  ];
  const accounts = ['store-1', 'store-2', 'store-1', 'store-3', 'store-4', 'store-5', 'store-6'];
  assert.deepEqual(await store.record(accounts.map(of)), results.group);
  assert.deepEqual(reported, ['store-1', 'store-4']);
  assert.deepEqual(changes, [
    ['store-1', SAMPLE.reference, 7],
    ['store-1', SAMPLE.reference, 8],
    ['store-4', SAMPLE.reference, 7],
  ]);
});

test('a held transaction is reported when it is recorded', async () => {
  const { store, results, reported, changes } = rig();
  assert.deepEqual(await recordHeld(store, of('store-1')), { outcome: 'changed', ...CHANGE });
  results.held = { outcome: 'unchanged' };
  await recordHeld(store, of('store-2'));
  assert.deepEqual(reported, ['store-1']);
  assert.deepEqual(changes, [['store-1', SAMPLE.reference, 7]]);
});

test('a transaction under an idempotency key is reported when it is recorded, not when it is repeated', async () => {
  const { store, results, reported, changes } = rig();
  await recordOnce(store, of('store-1'), ONCE);
  for (const once of [
    { outcome: 'repeated', reference: 'r' },
    { outcome: 'key_reused', reference: 'r' },
  ] as const) {
    results.once = once;
    assert.deepEqual(await recordOnce(store, of('store-2'), ONCE), once);
  }
  assert.deepEqual(reported, ['store-1']);
  assert.deepEqual(changes, [['store-1', 'r', 7]]);
});
