import type { DatabaseSync } from 'node:sqlite';
import { transactionRetriever } from '../../src/ledger/list/sqlite/retrieve-transaction.ts';
import type { CommitStamp } from '../../src/ledger/record/commit-stamp.ts';
import { compareWithRecorded } from '../../src/ledger/record/record-transaction.ts';
import { headReader } from '../../src/ledger/record/sqlite/sequence-numbers.ts';
import type { RecordResult } from '../../src/ledger/record/transaction-recorder.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { RECORDED_COLUMNS, recordedValues } from '../../src/ledger/transaction-columns.ts';
import { PENDING } from '../../src/values/status.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { REFUSED_CURRENCY } from './schedule-database.ts';
import type { MakeWriter } from './sqlite-database.ts';

/** Indexes that do not refuse a repeated number, so that the schedules have to notice it. */
export const ALLOW_REPEATED_NUMBERS = `DROP INDEX transactions_by_pending_sequence;
DROP INDEX transactions_by_final_sequence;
CREATE INDEX transactions_by_pending_sequence ON transactions (account, pending_sequence) WHERE pending_sequence IS NOT NULL;
CREATE INDEX transactions_by_final_sequence ON transactions (account, final_sequence) WHERE final_sequence IS NOT NULL`;

/** Where a store on SQLite takes its numbers from. All connections of a database share it. */
interface Numbering {
  /** Is called before the write lock is taken. */
  beforeLock?(readHead: (account: string) => number, transactions: readonly AccountTransaction[]): void;
  /** The number of a change that is written now, under the lock. */
  take(readHead: (account: string) => number, transaction: AccountTransaction): number;
}

/** Numbers of a counter of each account, in the memory of the process. */
function counter(): (account: string) => number {
  const last = new Map<string, number>();
  return (account) => {
    const number = (last.get(account) ?? 0) + 1;
    last.set(account, number);
    return number;
  };
}

/** A number is drawn for each transaction of a call before the lock. */
function sequence(): Numbering {
  const next = counter();
  const drawn = new WeakMap<AccountTransaction, number>();
  return {
    beforeLock: (_, transactions) => {
      for (const transaction of transactions) drawn.set(transaction, next(transaction.account));
    },
    take: (_, transaction) => drawn.get(transaction) as number,
  };
}

/** The heads are read before the lock, and counted up under it. */
function headsBeforeLock(): Numbering {
  const headsOf = new WeakMap<AccountTransaction, Map<string, number>>();
  return {
    beforeLock: (readHead, transactions) => {
      const heads = new Map(transactions.map(({ account }) => [account, readHead(account)]));
      for (const transaction of transactions) headsOf.set(transaction, heads);
    },
    take: (_, transaction) => {
      const heads = headsOf.get(transaction) as Map<string, number>;
      const number = (heads.get(transaction.account) as number) + 1;
      heads.set(transaction.account, number);
      return number;
    },
  };
}

export const RIGHT_NUMBERING = (): Numbering => ({
  take: (readHead, { account }) => readHead(account) + 1,
});

/** Each gives wrong numbers, and breaks one of the promises. */
export const WRONG_NUMBERINGS: Record<string, { make: () => Numbering; broken: RegExp }> = {
  'numbers of a sequence, which are given in another order than they become visible': {
    make: sequence,
    broken: /number \d+ is missing, although \d+ is visible/,
  },
  'numbers that are given before the lock': { make: headsBeforeLock, broken: /a number is given twice/ },
  'numbers that survive a rollback': {
    make: () => {
      const next = counter();
      return { take: (_, { account }) => next(account) };
    },
    broken: /number \d+ is missing, although \d+ is visible/,
  },
};

/** A store that records one row after the other, with numbers from somewhere. */
export function numberedWriter({ beforeLock, take }: Numbering): MakeWriter {
  return (db: DatabaseSync) => {
    const readHead = headReader(db);
    const retrieve = transactionRetriever(db);
    const insert = db.prepare(
      `INSERT INTO transactions (${RECORDED_COLUMNS.join(', ')}, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
       VALUES (${RECORDED_COLUMNS.map(() => '?').join(', ')}, ?, ?, ?, ?, ?, ?)`,
    );
    const advance = db.prepare(
      `UPDATE transactions SET status = ?, paid_at_ms = ?, final_sequence = ?, final_recorded_at_ms = ?, final_nonce = ?
       WHERE account = ? AND reference = ?`,
    );
    const storeHead = db.prepare(
      `INSERT INTO accounts (account, head_sequence) VALUES (?, ?)
       ON CONFLICT (account) DO UPDATE SET head_sequence = max(head_sequence, excluded.head_sequence)`,
    );
    const record = (transaction: AccountTransaction, { recordedAtMs, nonce }: CommitStamp): RecordResult => {
      const { account, reference, status, paidAtMs } = transaction;
      const recorded = retrieve(account, reference);
      const comparison = recorded && compareWithRecorded(recorded, transaction);
      if (comparison && comparison.outcome !== 'changed') return comparison;
      const number = take(readHead, transaction);
      const numbered = [number, recordedAtMs, nonce] as const;
      const numbers = status === PENDING ? [...numbered, null, null, null] : [null, null, null, ...numbered];
      if (recorded === undefined) insert.run(...recordedValues(transaction), ...numbers);
      else advance.run(status, paidAtMs, ...numbered, account, reference);
      storeHead.run(account, number);
      return { outcome: recorded === undefined ? 'recorded' : 'changed', sequence: number, nonce };
    };
    const recordTransactions = (transactions: readonly AccountTransaction[], stamp: CommitStamp) =>
      transactions.map((transaction): RecordResult => {
        try {
          return record(transaction, stamp);
        } catch (cause) {
          // The table refuses a final number below the pending one. The caller learns nothing, so that the feed must show the fault.
          const isRefused = transaction.currencyCode === REFUSED_CURRENCY;
          return {
            outcome: 'failed',
            error: isRefused
              ? cause
              : new StoreUnavailable('database_error', 'the number is refused', { cause }),
          };
        }
      });
    return {
      ...(beforeLock && {
        beforeLock: (transactions: readonly AccountTransaction[]) => beforeLock(readHead, transactions),
      }),
      recordTransactions,
      // Without keys: each request is a transaction of its own.
      recordOnce: (transaction, _, stamp) => {
        const recorded = record(transaction, stamp);
        if (recorded.outcome !== 'recorded') throw new Error('a reference was assigned that exists already');
        return { ...recorded, outcome: 'recorded', reference: transaction.reference };
      },
    };
  };
}
