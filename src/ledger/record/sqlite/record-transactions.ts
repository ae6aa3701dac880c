import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../../../values/calendar.ts';
import { BUILT_IN_STATUSES, isStatusName, PENDING } from '../../../../values/status.ts';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { isUnavailable } from '../../../db/sqlite/errors.ts';
import { prepared } from '../../../db/sqlite/sqlite-db.ts';
import { statementsOf } from '../../../db/statement.ts';
import type { CommitStamp } from '../../changes/change.ts';
import { MARK_MOVED } from '../../changes/changes.ts';
import { transactionRetrieverOn } from '../../list/sqlite/list-transactions.ts';
import { sumAdder } from '../../sqlite/add-to-totals.ts';
import { type DaySum, TotalsSum } from '../../totals/total.ts';
import { type AccountTransaction, recordedValues, type Transaction } from '../../transaction.ts';
import {
  compareWithRecorded,
  createdOnArchivedDay,
  type IdempotencyKey,
  type RecordOnceOutcome,
  type RecordOutcome,
  type RecordResult,
} from '../record.ts';

type OnArchivedDay = { outcome: 'archived'; beforeMs: number };

/** An error that is sent to another thread loses its class, so `archived` and `closed` stand for errors. */
type WrittenResult = RecordResult | OnArchivedDay | { outcome: 'closed' };

export function resultOfWritten(written: WrittenResult): RecordResult {
  if (written.outcome === 'closed') return { outcome: 'failed', error: closedAccountError() };
  if (written.outcome === 'archived')
    return { outcome: 'failed', error: createdOnArchivedDay(written.beforeMs) };
  return written;
}

export interface TransactionWriter {
  record(
    transactions: readonly AccountTransaction[],
    once: IdempotencyKey | undefined,
    stamp: CommitStamp,
  ): WrittenResult[];
}

export function transactionWriter(db: DatabaseSync): TransactionWriter {
  const withHeads = numberGiver(db);
  const record = rowRecorder(db);
  const noteStatuses = statusNoter(db);
  const useKey = prepared(db, RECORDING('useKey'));
  const retrieve = transactionRetrieverOn(db);
  const readHead = storedHeadReader(db);
  const findKey = prepared<[fingerprint: string, reference: string]>(db, RECORDING('findKey'));

  const recordOnce = (
    transaction: AccountTransaction,
    { key, fingerprint, repeatsOnly = false }: IdempotencyKey,
    stamp: CommitStamp,
  ): RecordOnceOutcome | OnArchivedDay => {
    const { account } = transaction;
    const used = findKey.get({ account, key });
    const [usedFingerprint, reference] = used ?? [fingerprint, transaction.reference];
    if (usedFingerprint !== fingerprint) return { outcome: 'key_reused', reference };
    if (used !== undefined && retrieve(account, reference) !== undefined)
      return { outcome: 'repeated', reference };
    const [, closedAtSequence = null] = readHead(account) ?? [];
    // If `closedAtSequence` is not null, an erasure is removing the transactions and keys of the account.
    if (used !== undefined && closedAtSequence !== null) throw closedAccountError();
    if (repeatsOnly) return { outcome: 'not_recorded' };
    // A used key whose transaction is missing, for example archived, is handled like a new key.
    noteStatuses([transaction.status]);
    const recorded = withHeads((headOf) => record({ ...transaction, reference }, headOf, stamp));
    if (recorded.outcome === 'archived') return recorded;
    if (recorded.outcome !== 'recorded') throw new Error('a reference was assigned that exists already');
    useKey.run({ account, key, fingerprint, reference });
    return { ...recorded, outcome: 'recorded', reference };
  };

  return {
    record: (transactions, once, stamp) => {
      if (once !== undefined) return [recordOnce(transactions[0] as AccountTransaction, once, stamp)];
      noteStatuses(transactions.map(({ status }) => status));
      return withHeads((headOf) =>
        transactions.map((transaction): WrittenResult => {
          try {
            return record(transaction, headOf, stamp);
          } catch (error) {
            if (error instanceof StoreUnavailable) return { outcome: 'closed' };
            if (isUnavailable(error) || !db.isTransaction) throw error;
            // SQLite has undone only the refused statement. The other recordings can still be committed.
            return { outcome: 'failed', error };
          }
        }),
      );
    },
  };
}

function statusNoter(db: DatabaseSync): (statuses: Iterable<string>) => void {
  const note = prepared(db, RECORDING('noteStatus'));
  return (statuses) => {
    for (const status of new Set(statuses))
      if (!BUILT_IN_STATUSES.has(status) && isStatusName(status)) note.run({ status });
  };
}

type RowRecorder = (
  transaction: AccountTransaction,
  headOf: HeadOf,
  stamp: CommitStamp,
) => RecordOutcome | OnArchivedDay;

const NO_NUMBER = [null, null, null] as const;

function rowRecorder(db: DatabaseSync): RowRecorder {
  const insert = prepared(db, RECORDING('insert')).statement;
  const retrieve = transactionRetrieverOn(db);
  const advance = prepared(db, RECORDING('advance'));

  return (transaction, headOf, { recordedAtMs, nonce }) => {
    const { account, reference, status, paidAtMs, createdAtMs, currencyCode, amountMinor } = transaction;
    const head = headOf(account);
    const { archivedBeforeMs: beforeMs } = head;
    if (beforeMs !== null && createdAtMs < beforeMs && retrieve(account, reference) === undefined)
      return { outcome: 'archived', beforeMs };
    const sequence = head.sequence + 1;
    const number = [sequence, recordedAtMs, nonce];
    const numbers = status === PENDING ? [...number, ...NO_NUMBER] : [...NO_NUMBER, ...number];
    if (insert.run(...recordedValues(transaction), ...numbers).changes === 1) {
      head.sequence = sequence;
      head.sums.addRow(dayOf(createdAtMs), currencyCode, status, amountMinor);
      return { outcome: 'recorded', sequence, nonce };
    }
    const comparison = compareWithRecorded(retrieve(account, reference) as Transaction, transaction);
    if (comparison.outcome !== 'changed') return comparison;
    const { finalDetails, detailsRemovedAtMs } = comparison;
    advance.run({ account, reference, status, paidAtMs, finalDetails, sequence, recordedAtMs, nonce });
    head.sequence = sequence;
    head.sums.addRow(dayOf(createdAtMs), currencyCode, status, amountMinor);
    head.sums.addRow(dayOf(createdAtMs), currencyCode, PENDING, amountMinor, -1);
    return { outcome: 'changed', sequence, nonce, detailsRemovedAtMs };
  };
}

export const RECORDING = statementsOf(new URL('./record.sql', import.meta.url));

const closedAccountError = () => new StoreUnavailable('account_erased', 'the account is being erased');

export function headReader(db: DatabaseSync): (account: string) => number {
  const read = storedHeadReader(db);
  return (account) => read(account)?.[0] ?? 0;
}

export function headsReader(db: DatabaseSync): (accounts: readonly string[]) => Map<string, number> {
  const read = headReader(db);
  return (accounts) => {
    const heads = accounts.map((account) => [account, read(account)] as const);
    return new Map(heads.filter(([, head]) => head > 0));
  };
}

type StoredHead = [sequence: number, closedAtSequence: number | null, archivedBeforeMs: number | null];

function storedHeadReader(db: DatabaseSync): (account: string) => StoredHead | undefined {
  const read = prepared<StoredHead>(db, RECORDING('readHead'));
  return (account) => read.get({ account });
}

interface Head {
  sequence: number;
  readonly stored: number | undefined;
  readonly archivedBeforeMs: number | null;
  readonly sums: TotalsSum;
}

type HeadOf = (account: string) => Head;

/** Call this under the write lock. While the account is being erased, `headOf` throws StoreUnavailable. */
function numberGiver(db: DatabaseSync): <Result>(work: (headOf: HeadOf) => Result) => Result {
  const readHead = storedHeadReader(db);
  const readLargestNumber = prepared<[largest: number]>(db, RECORDING('readLargestNumber'));
  const storeHead = prepared(db, RECORDING('storeHead'));

  const addSums = sumAdder(db);
  const markMoved = prepared(db, MARK_MOVED);

  return (work) => {
    const heads = new Map<string, Head>();
    const result = work((account) => {
      let head = heads.get(account);
      if (head === undefined) {
        const [stored, closedAtSequence = null, archivedBeforeMs = null] = readHead(account) ?? [];
        if (closedAtSequence !== null) throw closedAccountError();
        head = {
          sequence: stored ?? readLargestNumber.get({ account })?.[0] ?? 0,
          stored,
          archivedBeforeMs,
          sums: new TotalsSum(),
        };
        heads.set(account, head);
      }
      return head;
    });
    for (const [account, { sequence, stored, sums }] of heads) {
      if (sequence === (stored ?? 0)) continue;
      addSums(account, sums.list() as DaySum[]);
      storeHead.run({ account, sequence });
      markMoved.run({ account });
    }
    return result;
  };
}
