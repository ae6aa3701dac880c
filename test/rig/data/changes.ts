import assert from 'node:assert/strict';
import type { Change } from '../../../src/ledger/changes/change.ts';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { outcomeOrHeld, type RecordResult } from '../../../src/ledger/record/record.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import type { Store } from '../../../src/store/store.ts';
import { DAY, transaction } from './transactions.ts';

export const ALL_CHANGES = 100_000;

export const pending = (account: string, reference: string, createdAtMs = DAY('2026-03-01')) =>
  transaction(account, reference, { status: 'pending', createdAtMs });

export const completed = (row: AccountTransaction): AccountTransaction => ({
  ...row,
  status: 'completed',
  paidAtMs: row.createdAtMs + 1000,
});

export async function changesOf(store: Store, account: string): Promise<Change[]> {
  const { changes, headSequence } = await store.listChanges({ account, after: 0, limit: ALL_CHANGES });
  assert.deepEqual(
    changes.map(({ sequence }) => sequence),
    Array.from({ length: headSequence }, (_, index) => index + 1),
  );
  const statuses = new Map<string, string>();
  for (const { previousStatus, transaction } of changes) {
    assert.equal(statuses.get(transaction.reference) ?? null, previousStatus);
    statuses.set(transaction.reference, transaction.status);
  }
  return changes;
}

export async function lastChange(store: Store, { account, reference }: AccountTransaction) {
  const { sequence, nonce } = (await store.listTransactionChanges(account, reference))?.at(-1) ?? {};
  return { sequence, nonce };
}

export async function shownChanges(store: Store, account: string): Promise<string[]> {
  return (await changesOf(store, account)).map(
    ({ previousStatus, transaction: { reference, status } }) =>
      `${reference.slice(account.length + 1)} ${previousStatus ?? 'new'} ${status}`,
  );
}

export async function assertChangesMakeTheTable(store: Store, account: string): Promise<void> {
  const changes = await changesOf(store, account);
  const last = new Map(changes.map((change) => [change.transaction.reference, change.transaction]));
  const list = await store.listTransactions({ account, filter: NO_FILTER, after: null }, ALL_CHANGES);
  const byReference = (left: { reference: string }, right: { reference: string }) =>
    left.reference < right.reference ? -1 : 1;
  assert.deepEqual([...last.values()].sort(byReference), list.transactions.toSorted(byReference));
}

export async function recordOrWait(store: Store, rows: readonly AccountTransaction[]): Promise<void> {
  const results = await store.record(rows);
  for (const [index, row] of rows.entries()) await outcomeOrHeld(store, row, results[index] as RecordResult);
}
