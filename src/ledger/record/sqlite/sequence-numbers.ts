import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { prepared } from '../../../db/sqlite/prepared.ts';
import { statementsOf } from '../../../db/statement.ts';
import { moveMarker } from '../../changes/sqlite/watched-accounts.ts';
import { sumAdder } from '../../totals/sqlite/add-to-totals.ts';
import type { DaySum } from '../../totals/totals.ts';
import { TotalsSum } from '../../totals/totals-sum.ts';

/** The statements of recordings. */
export const RECORDING = statementsOf(new URL('./record.sql', import.meta.url));

export const closedAccount = () => new StoreUnavailable('account_erased', 'the account is being erased');

/** Reads the head sequence of an account: 0 if it has none. */
export function headReader(db: DatabaseSync): (account: string) => number {
  const read = storedHeadReader(db);
  return (account) => read(account)?.[0] ?? 0;
}

/** Reads the heads of the accounts that have one. */
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

/** Reads whether an account is being erased. */
export function closedReader(db: DatabaseSync): (account: string) => boolean {
  const read = storedHeadReader(db);
  return (account) => (read(account)?.[1] ?? null) !== null;
}

/** The head of an account while a transaction of the database gives numbers. */
interface Head {
  sequence: number;
  /** The head that the database has, if the account has one. */
  readonly stored: number | undefined;
  /** No new transaction that was created before is recorded; null if nothing of the account was archived. */
  readonly archivedBeforeMs: number | null;
  /** What the changes that got a number add to the stored totals. */
  readonly sums: TotalsSum;
}

export type HeadOf = (account: string) => Head;

/**
 * Runs work that gives sequence numbers, stores the heads that it raised, and adds to the stored totals. All belong to the caller's transaction of
 * the database, which holds the write lock: each head is read once.
 *
 * `headOf` throws StoreUnavailable if the account is being erased.
 */
export function numberGiver(db: DatabaseSync): <Result>(work: (headOf: HeadOf) => Result) => Result {
  const readHead = storedHeadReader(db);
  const readLargestNumber = prepared<[largest: number]>(db, RECORDING('readLargestNumber'));
  const storeHead = prepared(db, RECORDING('storeHead'));

  const addSums = sumAdder(db);
  const markMoved = moveMarker(db);

  return (work) => {
    const heads = new Map<string, Head>();
    const result = work((account) => {
      let head = heads.get(account);
      if (head === undefined) {
        const [stored, closedAtSequence = null, archivedBeforeMs = null] = readHead(account) ?? [];
        if (closedAtSequence !== null) throw closedAccount();
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
      markMoved(account);
    }
    return result;
  };
}
