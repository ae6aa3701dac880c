import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import type { AccountTransaction } from '../transaction.ts';
import type { RecordAlone, RecordOutcome, RecordResult } from './record.ts';
import { GroupCommit, reportRecordings } from './request-recorder.ts';

const CHANGE = { sequence: 7, nonce: 1 };

function groupRig(answer: (account: string) => Promise<void> = async () => {}) {
  const groups: string[][] = [];
  const free = new Map<string, () => void>();
  const resultOf = (reference: string): RecordResult => {
    if (reference.startsWith('refused')) return { outcome: 'failed', error: new Error(reference) };
    if (reference.startsWith('held')) return { outcome: 'held' };
    return reference.startsWith('old') ? { outcome: 'unchanged' } : { outcome: 'recorded', ...CHANGE };
  };
  const record = async (transactions: readonly AccountTransaction[], alone?: RecordAlone) => {
    const references = transactions.map(({ reference }) => reference);
    const [{ account, reference: first }] = transactions as [AccountTransaction];
    if (alone?.waits)
      return new Promise<RecordResult[]>((resolve) =>
        free.set(first, () => resolve([{ outcome: 'changed', ...CHANGE }])),
      );
    await answer(account);
    groups.push(references);
    if (references.includes('bad')) throw new Error('the disk is full');
    return references.map(resultOf);
  };
  const commit = new GroupCommit({ record, nodeOf: (account) => `node of ${account}` }, () =>
    Promise.resolve(),
  );
  const send = (...references: string[]) =>
    references.map((reference) => commit.record({ ...SAMPLE, reference }));
  return { groups, free, commit, send };
}

const outcomesOf = async (recordings: Promise<RecordOutcome>[]) =>
  (await Promise.allSettled(recordings)).map((one) =>
    one.status === 'fulfilled' ? one.value.outcome : one.reason.message,
  );

test('concurrent recordings are one group, and each caller gets its own outcome or error', async () => {
  const { groups, send } = groupRig();
  const outcomes = await outcomesOf(send('a', 'old-b', 'refused-c', 'd'));
  assert.deepEqual(groups, [['a', 'old-b', 'refused-c', 'd']]);
  assert.deepEqual(outcomes, ['recorded', 'unchanged', 'refused-c', 'recorded']);
});

test('a group has each reference once; further transactions with the same reference are recorded later, in order', async () => {
  const { groups, send } = groupRig();
  await Promise.all(send('a', 'b', 'a', 'a'));
  assert.deepEqual(groups, [['a', 'b'], ['a'], ['a']]);
});

test('the size of a group is limited, and every transaction is recorded', async () => {
  const { groups, send } = groupRig();
  await Promise.all(send(...Array.from({ length: 1200 }, (_, index) => `r${index}`)));
  assert.deepEqual(
    groups.map(({ length }) => length),
    [500, 500, 200],
  );
});

test('a failed group fails only its own transactions, and the next group continues', async () => {
  const { send } = groupRig();
  assert.deepEqual(await outcomesOf(send('a', 'bad')), ['the disk is full', 'the disk is full']);
  assert.deepEqual(await outcomesOf(send('a')), ['recorded']);
});

test('a transaction whose row is held delays neither its group nor the next one', async () => {
  const { groups, free, send } = groupRig();
  const held = send('held-a');
  assert.deepEqual(await outcomesOf(send('b')), ['recorded']);
  assert.deepEqual(await outcomesOf(send('c')), ['recorded']);
  assert.deepEqual(groups, [['held-a', 'b'], ['c']]);
  free.get('held-a')?.();
  assert.deepEqual(await outcomesOf(held), ['changed']);
});

test('each node has its own groups: a node that does not respond does not delay another', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { groups, commit, send } = groupRig(async (account) => {
    if (account === 'frozen') await promise;
  });
  const frozen = ['a', 'b'].map((reference) => commit.record({ ...SAMPLE, account: 'frozen', reference }));
  for (const reference of ['c', 'd']) assert.deepEqual(await outcomesOf(send(reference)), ['recorded']);
  resolve();
  assert.deepEqual(await outcomesOf(frozen), ['recorded', 'recorded']);
  assert.deepEqual(groups, [['c'], ['d'], ['a', 'b']]);
});

const of = (account: string): AccountTransaction => ({ ...SAMPLE, account });

test('each new or changed transaction is reported, and its account once, however it is recorded; nothing else is', async () => {
  const once = { key: 'a', fingerprint: 'b' };
  let results: RecordResult[] = [
    { outcome: 'recorded', ...CHANGE },
    { outcome: 'unchanged' },
    { outcome: 'recorded', ...CHANGE, sequence: 8 },
    { outcome: 'held' },
    { outcome: 'changed', ...CHANGE },
    { outcome: 'failed', error: new Error('refused') },
    { outcome: 'conflict', differences: [] },
  ];
  const reported: string[] = [];
  const changes: [account: string, reference: string, sequence: number][] = [];
  const recorder = {
    record: async (_: unknown, _alone?: RecordAlone): Promise<RecordResult[]> => results,
  };
  const store = reportRecordings(recorder, [
    { noteRecorded: (account) => reported.push(account) },
    { noteChange: (account, reference, { sequence }) => changes.push([account, reference, sequence]) },
  ]);
  const accounts = ['store-1', 'store-2', 'store-1', 'store-3', 'store-4', 'store-5', 'store-6'];
  assert.deepEqual(await store.record(accounts.map(of)), results);
  assert.deepEqual(reported, ['store-1', 'store-4']);
  assert.deepEqual(changes, [
    ['store-1', SAMPLE.reference, 7],
    ['store-1', SAMPLE.reference, 8],
    ['store-4', SAMPLE.reference, 7],
  ]);
  for (const [alone, result, reference] of [
    [{ waits: true }, { outcome: 'changed', ...CHANGE }, SAMPLE.reference],
    [{ waits: true }, { outcome: 'unchanged' }, undefined],
    [{ once }, { outcome: 'recorded', reference: 'r', ...CHANGE }, 'r'],
    [{ once }, { outcome: 'repeated', reference: 'r' }, undefined],
    [{ once }, { outcome: 'key_reused', reference: 'r' }, undefined],
  ] as const) {
    for (const noted of [reported, changes]) noted.length = 0;
    results = [result];
    assert.deepEqual(await store.record([of('store-1')], alone), results);
    const expected = reference === undefined ? [[], []] : [['store-1'], [['store-1', reference, 7]]];
    assert.deepEqual([reported, changes], expected);
  }
});
