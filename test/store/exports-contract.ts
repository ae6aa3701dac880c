import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  EXPORT_LIFETIME_MS,
  type Export,
  NO_EXPORT_FILTER,
  type NumberedTransaction,
} from '../../src/ledger/exports/export.ts';
import { retrieveExport } from '../../src/ledger/exports/start-export.ts';
import { sumAllListed } from '../../src/ledger/totals/reads.ts';
import type { ListedSum } from '../../src/ledger/totals/total.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { Store } from '../../src/store/store.ts';
import { ALL_CHANGES, changesOf } from '../rig/data/changes.ts';
import { expectedList, isPaidIn, sumQuery } from '../rig/data/expected-list.ts';
import { sorted, totalsOf } from '../rig/data/expected-totals.ts';
import { DAY } from '../rig/data/transactions.ts';
import { ORDER, recordVariedRows, VARIED_FILTERS } from '../rig/data/varied-rows.ts';
import { someInTier } from '../rig/run/tier.ts';
import { eachHarness } from '../rig/store/each-harness.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';

const NOON = DAY('2026-03-02') + 43_200_000;
const PAID = [null, { fromMs: null, beforeMs: NOON }, { fromMs: NOON, beforeMs: NOON + 86_400_000 }];

export async function numbersOf(store: Store, account: string) {
  const numbers = new Map<string, Omit<NumberedTransaction, 'transaction'>>();
  for (const { sequence, recordedAtMs, transaction } of await changesOf(store, account)) {
    const found = numbers.get(transaction.reference) ?? {
      pendingSequence: null,
      pendingRecordedAtMs: null,
      finalSequence: null,
      finalRecordedAtMs: null,
    };
    const changed = transaction.status === 'pending' ? 'pending' : 'final';
    numbers.set(transaction.reference, {
      ...found,
      [`${changed}Sequence`]: sequence,
      [`${changed}RecordedAtMs`]: recordedAtMs,
    });
  }
  return numbers;
}

async function rowsAsOf(store: Store, account: string, asOf: number): Promise<AccountTransaction[]> {
  const rows = new Map<string, AccountTransaction>();
  for (const { sequence, transaction } of await changesOf(store, account))
    if (sequence <= asOf) rows.set(transaction.reference, { account, ...transaction });
  return [...rows.values()];
}

const limitsOf = (expiredMs: number) => ({ expiredMs, perAccount: 100 });

const EXPORT: Export = {
  id: 'exp_0000000000000001',
  account: 'store-1',
  format: 'csv',
  spreadsheet: true,
  filter: { ...NO_EXPORT_FILTER, merchantReference: ORDER, from: '2026-01-01' },
  created: null,
  asOf: 25,
  asOfId: 'chg_Zt7vJ2mXq0YtR5cQe1WbKd',
  seal: '5a'.repeat(32),
  totals: [
    { day: null, currencyCode: 'EUR', status: 'completed', count: 3, amountMinor: -(10n ** 30n) },
    { day: null, currencyCode: 'XTS', status: 'pending', count: 1, amountMinor: 9_007_199_254_740_993n },
  ],
  startedAtMs: 1_790_000_000_000,
  result: null,
};

const begun = (number: number, account: string, startedAtMs: number): Export => ({
  ...EXPORT,
  id: `exp_000000000000000${number}`,
  account,
  startedAtMs,
});

const COMPLETE: Export = {
  ...EXPORT,
  result: { rows: 4, bytes: 5_000_000_000, sha256: 'a'.repeat(64), finishedAtMs: 1_790_000_001_000 },
};

export function exportsContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`the exports on ${name}`, () => {
    const { harness, store } = eachHarness(makeHarness);

    test('sum transactions with a merchantReference, or paid on some days, up to any number, with every other filter', async () => {
      await recordVariedRows(store);
      for (const account of ['store-1', 'store-2']) {
        const { headSequence } = await store.listChanges({ account, after: 0, limit: ALL_CHANGES });
        const numbers = [0, 1, 50, 51, Math.floor(headSequence * 0.8), headSequence, headSequence + 5];
        for (const asOf of someInTier(numbers, 3)) {
          const rows = await rowsAsOf(store, account, asOf);
          for (const [nth, filter] of VARIED_FILTERS.entries()) {
            const paid = PAID[nth % PAID.length] ?? null;
            if (paid === null && filter.merchantReference === null) continue;
            const expected = expectedList(rows, account, filter).filter((row) => isPaidIn(row, paid));
            const created: number[] = [];
            const onRead = (read: ListedSum) => created.push(...Object.values(read.created ?? {}));
            const totals = await sumAllListed(store, sumQuery(account, filter, asOf, paid), { onRead });
            const about = JSON.stringify({ account, asOf, filter, paid });
            assert.deepEqual(sorted(totals), totalsOf(expected), about);
            const times = expected.map(({ createdAtMs }) => createdAtMs);
            const ends = (each: number[]) => [Math.min(...each), Math.max(...each)];
            assert.deepEqual(ends(created), ends(times), about);
          }
        }
      }
    });

    test('are found as they were stored, by their id, only in their own account', async () => {
      const foreign = { ...EXPORT, account: 'store-2', id: 'exp_0000000000000002', asOf: 7 };
      for (const created of [EXPORT, foreign]) await store.createExport(created, limitsOf(0));
      const other = await harness.open();
      for (const instance of [store, other]) {
        assert.deepEqual(await instance.findExport('store-1', EXPORT.id), EXPORT);
        assert.deepEqual(await instance.findExport('store-2', foreign.id), foreign);
        assert.equal(await instance.findExport('store-1', foreign.id), undefined);
        assert.equal(await instance.findExport('store-2', EXPORT.id), undefined);
        assert.equal(await instance.findExport('store-1', 'exp_0000000000000003'), undefined);
      }
    });

    test('are replaced only in their own account, and not after they were removed', async () => {
      assert.equal(await store.replaceExport(COMPLETE), false);
      await store.createExport(EXPORT, limitsOf(0));
      assert.equal(await store.replaceExport({ ...COMPLETE, account: 'store-2' }), false);
      assert.equal(await store.replaceExport({ ...COMPLETE, id: 'exp_0000000000000002' }), false);
      assert.deepEqual(await store.findExport('store-1', EXPORT.id), EXPORT);
      for (const replaced of [COMPLETE, EXPORT]) {
        assert.equal(await store.replaceExport(replaced), true);
        assert.deepEqual(await store.findExport('store-1', EXPORT.id), replaced);
      }
    });

    test('are removed after they expire: in one account when its next export begins, in all accounts on request', async () => {
      const old = [begun(1, 'store-1', 1000), begun(2, 'store-2', 1999)];
      const kept = [begun(3, 'store-1', 2000), begun(4, 'store-2', 3000)];
      for (const created of [...old, ...kept]) await store.createExport(created, limitsOf(0));
      const last = begun(5, 'store-1', 90_000);
      await store.createExport(last, limitsOf(2000));
      const left = () => Promise.all(old.map(({ account, id }) => store.findExport(account, id)));
      assert.deepEqual(await left(), [undefined, old[1]]);
      await store.removeExpiredExports(2000);
      assert.deepEqual(await left(), [undefined, undefined]);
      for (const one of [...kept, last]) assert.deepEqual(await store.findExport(one.account, one.id), one);
    });

    test('of an account that has too many are not stored before earlier ones have expired', async () => {
      const limits = { expiredMs: 0, perAccount: 2 };
      for (const [id, account, isStored] of [
        [1, 'store-1', true],
        [2, 'store-1', true],
        [3, 'store-1', false],
        [4, 'store-2', true],
      ] as const)
        assert.equal(await store.createExport(begun(id, account, id), limits), isStored);
      assert.equal(await store.findExport('store-1', begun(3, 'store-1', 3).id), undefined);
      const fifth = begun(5, 'store-1', 5);
      assert.equal(await store.createExport(fifth, { ...limits, expiredMs: 2 }), true);
      assert.deepEqual(await store.findExport('store-1', fifth.id), fifth);
    });

    test('count as expired if they began while the clock was 30 days ahead, so that new ones can be stored', async () => {
      const nowMs = 2_000_000_000_000;
      const limits = { expiredMs: nowMs - EXPORT_LIFETIME_MS, perAccount: 2 };
      const at = (number: number, startedAtMs = nowMs) => begun(number, 'store-1', startedAtMs);
      for (const number of [1, 2]) await store.createExport(at(number, nowMs + 30 * 86_400_000), limits);
      const find = ({ account, id }: Export) => retrieveExport(store, account, id, nowMs);
      assert.equal(await find(at(1)), undefined);
      for (const one of [at(3), at(4)]) {
        assert.equal(await store.createExport(one, limits), true);
        assert.deepEqual(await find(one), one);
      }
      assert.equal(await store.createExport(at(5), limits), false);
      assert.equal(await store.findExport('store-1', at(1).id), undefined);
    });
  });
}
