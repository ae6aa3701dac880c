import { hash, randomBytes } from 'node:crypto';
import { formatTimestamp } from '../../../values/calendar.ts';
import { PENDING } from '../../../values/status.ts';
import { type Transaction, type TransactionRow, transactionOf } from '../transaction.ts';
import { formatTransaction } from '../transaction-fields.ts';

/** A transaction that was recorded for the first time, or a recorded one that took another status. */
export interface Change {
  /** The change's number in its account: 1, 2, 3 and so on, in the order in which changes became visible. */
  sequence: number;
  /**
   * The random number that the commit of the change drew. With account and sequence, it makes the id of the
   * change: see `changeId`.
   */
  nonce: number;
  /** The status before the change, or null if the transaction is new. */
  previousStatus: string | null;
  /** When the change was recorded, by the service's clock, in milliseconds since 1970-01-01T00:00:00Z. */
  recordedAtMs: number;
  /** The transaction right after the change. */
  transaction: Transaction;
}

export interface ChangeQuery {
  account: string;
  /** Changes with larger sequence numbers are returned. */
  after: number;
  /** The most changes that are returned, at least 1. */
  limit: number;
  /** The id of the change at `after`, as the caller knows it. */
  afterId?: string | undefined;
}

export interface ChangeResult {
  /**
   * The change at `after`, from the same snapshot; undefined if there is none, or if it was archived and is
   * below the floor.
   */
  last: NumberedNonce | undefined;
  /** In the order of their sequence numbers, which are `after` + 1, `after` + 2 and so on. */
  changes: Change[];
  /** The largest sequence number of the account when the changes were read; 0 if it has none. */
  headSequence: number;
  /** The floor of the account: changes up to it can be archived. 0 if nothing was archived. */
  floorSequence: number;
}

/** Distinguishes a change of an account from every other one that has, or had, its number. */
export type NumberedNonce = Pick<Change, 'sequence' | 'nonce'>;

export interface AcknowledgedChange extends NumberedNonce {
  /**
   * How long ago it was acknowledged. An age, because a time of this process must not be compared with the
   * database's clock.
   */
  ageMs: number;
}

export interface ChangeReader {
  /** The first changes after a sequence number. */
  listChanges(query: ChangeQuery): Promise<ChangeResult>;
  /**
   * The changes of one transaction, oldest first: one or two. Undefined if the account has no transaction
   * with the reference.
   */
  listTransactionChanges(account: string, reference: string): Promise<Change[] | undefined>;
  /**
   * The indexes in the list of those changes that the account does not have: it has no change with the
   * number, or one with another nonce. Changes that were acknowledged before the account was erased, or are
   * up to the floor, are not missing.
   */
  findMissingChanges(account: string, changes: readonly AcknowledgedChange[]): Promise<number[]>;
  /**
   * The head sequence of each account that has one. On a cluster, the accounts of a node that does not
   * respond are missing; if it has all of the accounts, the call fails.
   */
  readHeads(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** How many changes a store reads for a query: at most `limit` after `after`, and the one at `after`. */
export const rowsToRead = ({ after, limit }: ChangeQuery): number => (after === 0 ? limit : limit + 1);

/**
 * The result of a query, from the changes at and after its number. Makes the result of a query from the
 * changes at and after its number. `floor` is the change at the account's floor, if it has one.
 */
export function changeResultOf(
  { after, limit }: ChangeQuery,
  read: Change[],
  headSequence: number,
  floor: NumberedNonce | undefined,
): ChangeResult {
  const found = after > 0 && read[0]?.sequence === after ? read.shift() : undefined;
  return {
    last: found ?? (floor?.sequence === after ? floor : undefined),
    changes: read.slice(0, limit),
    headSequence,
    floorSequence: floor?.sequence ?? 0,
  };
}

/** True if the change at `after` is the one that the caller knows, if it knows one. */
export const isOfHistory = (
  { account, afterId }: Pick<ChangeQuery, 'account' | 'afterId'>,
  { last }: Pick<ChangeResult, 'last'>,
): boolean => afterId === undefined || (last !== undefined && changeId(account, last) === afterId);

/** The type of a change, such as `transaction.completed`: the transaction took this status. */
export const changeType = ({ transaction }: Change): string => `transaction.${transaction.status}`;

export type FormattedChange = ReturnType<typeof formatChange>;

/** A change of an account as responses and webhooks show it. */
export function formatChange(account: string, change: Change) {
  return {
    sequence: change.sequence,
    id: changeId(account, change),
    type: changeType(change),
    previousStatus: change.previousStatus,
    recordedAt: formatTimestamp(change.recordedAtMs),
    transaction: formatTransaction(change.transaction),
  };
}

/** Characters after the prefix: 132 bits. */
const CHARACTERS = 22;

export const CHANGE_ID_FORM = `^chg_[A-Za-z0-9_-]{${CHARACTERS}}$`;

/**
 * The id of a change: the same wherever the change is read or copied to. A change that is recorded again
 * after a restore has another id, because its commit draws another nonce.
 */
export function changeId(account: string, { sequence, nonce }: Pick<Change, 'sequence' | 'nonce'>): string {
  const digest = hash('sha256', `${account} ${sequence} ${nonce}`, 'base64url');
  return `chg_${digest.slice(0, CHARACTERS)}`;
}

/** The values that a commit writes with each of its changes. */
export interface CommitStamp {
  /** When the changes are recorded, by the service's clock, in milliseconds since 1970-01-01T00:00:00Z. */
  recordedAtMs: number;
  /** A random number that no other commit has: see `changeId`. */
  nonce: number;
}

/**
 * Stamps the next commit. A retried commit gets another nonce too, because readers can have seen the first
 * attempt.
 */
export type StampCommit = () => CommitStamp;

export const commitStamper =
  (now: () => number, drawNonce = randomNonce): StampCommit =>
  () => ({ recordedAtMs: now(), nonce: drawNonce() });

/** A random whole number from 1 to 2^52, which JavaScript and both databases hold exactly. */
export const randomNonce = (): number => Number(randomBytes(8).readBigUInt64LE() >> 12n) + 1;

/**
 * The sequence numbers of a transaction, pending and final, with their times. It has at least one of the two.
 */
export interface TransactionNumbers {
  pendingSequence: number | null;
  pendingRecordedAtMs: number | null;
  pendingNonce: number | null;
  finalSequence: number | null;
  finalRecordedAtMs: number | null;
  finalNonce: number | null;
}

/**
 * The state of a transaction at a sequence number: final, pending, or undefined if it was not recorded yet.
 */
export function stateUpTo(
  { pendingSequence, finalSequence }: Pick<TransactionNumbers, 'pendingSequence' | 'finalSequence'>,
  upTo: number,
): 'final' | 'pending' | undefined {
  if (finalSequence !== null && finalSequence <= upTo) return 'final';
  return pendingSequence !== null && pendingSequence <= upTo ? 'pending' : undefined;
}

/** A transaction as it was while it was pending. */
export const asPending = <
  Shape extends { status: string | null; paidAtMs: number | null; finalDetails: string | null },
>(
  transaction: Shape,
): Shape => ({
  ...transaction,
  status: PENDING,
  paidAtMs: null,
  finalDetails: null,
});

/** The changes of a transaction, oldest first. */
export function changesOf(transaction: Transaction, numbers: TransactionNumbers): Change[] {
  const { pendingSequence, pendingRecordedAtMs, pendingNonce, finalSequence, finalRecordedAtMs, finalNonce } =
    numbers;
  const change = (
    sequence: number | null,
    recordedAtMs: number | null,
    nonce: number | null,
    previousStatus: string | null,
    shown: Transaction,
  ): Change[] =>
    sequence === null || recordedAtMs === null || nonce === null
      ? []
      : [{ sequence, nonce, previousStatus, recordedAtMs, transaction: shown }];
  return [
    ...change(pendingSequence, pendingRecordedAtMs, pendingNonce, null, asPending(transaction)),
    ...change(
      finalSequence,
      finalRecordedAtMs,
      finalNonce,
      pendingSequence === null ? null : PENDING,
      transaction,
    ),
  ];
}

export const NUMBER_COLUMNS = {
  pendingSequence: 'pending_sequence',
  pendingRecordedAtMs: 'pending_recorded_at_ms',
  pendingNonce: 'pending_nonce',
  finalSequence: 'final_sequence',
  finalRecordedAtMs: 'final_recorded_at_ms',
  finalNonce: 'final_nonce',
} as const satisfies Record<keyof TransactionNumbers, string>;

export type ChangesRow = [
  ...TransactionRow,
  pendingSequence: number | null,
  pendingRecordedAtMs: number | null,
  pendingNonce: number | null,
  finalSequence: number | null,
  finalRecordedAtMs: number | null,
  finalNonce: number | null,
];

export const numbersOf = (row: ChangesRow): TransactionNumbers => ({
  pendingSequence: row[11],
  pendingRecordedAtMs: row[12],
  pendingNonce: row[13],
  finalSequence: row[14],
  finalRecordedAtMs: row[15],
  finalNonce: row[16],
});

export const changesOfRow = (row: ChangesRow): Change[] => changesOf(transactionOf(row), numbersOf(row));
