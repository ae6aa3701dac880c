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
import { reportRecordings } from './request-recorder.ts';

const of = (account: string): AccountTransaction => ({ ...SAMPLE, account });
const CHANGE = { sequence: 7, nonce: 1 };
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
    ping: async () => 'of the store',
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

test('other calls are those of the store', async () => {
  assert.equal(await rig().store.ping(), 'of the store');
});
