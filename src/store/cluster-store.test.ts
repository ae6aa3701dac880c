import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../test/rig/data/transactions.ts';
import type { RecordResult } from '../ledger/record/record.ts';
import { readHeadsOnNodes, recordOnNodes } from './cluster-store.ts';

test('a failing store fails only its own transactions and heads', async () => {
  const [one, two, three] = ['a', 'b', 'c'].map((reference) => ({ ...SAMPLE, reference })) as [
    typeof SAMPLE,
    typeof SAMPLE,
    typeof SAMPLE,
  ];
  const error = new Error('the worker is gone');
  const recorded: RecordResult = { outcome: 'recorded', sequence: 7, nonce: 1 };
  const fine = {
    record: async (own: readonly unknown[]) => own.map((): RecordResult => recorded),
    readHeads: async (accounts: readonly string[]) => new Map(accounts.map((account) => [account, 7])),
  };
  const broken = {
    record: () => Promise.reject(error),
    readHeads: () => Promise.reject(error),
  };
  const results = await recordOnNodes(
    new Map([
      [fine, [one, three]],
      [broken, [two]],
    ]),
    [one, two, three],
  );
  assert.deepEqual(results, [recorded, { outcome: 'failed', error }, recorded]);
  const heads = new Map([
    [broken, ['b']],
    [fine, ['a']],
  ]);
  assert.deepEqual(await readHeadsOnNodes(heads, 1000), new Map([['a', 7]]));
  const silent = { ...broken, readHeads: () => new Promise<never>(() => {}) };
  assert.deepEqual(
    await readHeadsOnNodes(
      new Map([
        [silent, ['b']],
        [fine, ['a']],
      ]),
      4,
    ),
    new Map([['a', 7]]),
  );
  assert.deepEqual(await readHeadsOnNodes(new Map(), 1000), new Map());
  for (const failing of [
    new Map([[broken, ['b']]]),
    new Map([
      [broken, ['b']],
      [{ ...broken }, ['a']],
    ]),
  ])
    await assert.rejects(readHeadsOnNodes(failing, 1000), error);
});
