import { hash, randomBytes } from 'node:crypto';
import { formatTimestamp } from '../../../values/calendar.ts';
import { PENDING } from '../../../values/status.ts';
import type { Transaction, TransactionRow } from '../transaction.ts';
import { formatTransaction } from '../transaction-fields.ts';

/** The first recording of a transaction, or the change of its status. */
export interface Change {
  /** The change's number in its account: 1, 2, 3 and so on, in the order in which changes became visible. */
  sequence: number;
  /** The random number of the commit that made the change. It is part of the change's id: see `changeId`. */
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
   * The change at `after`, from the same snapshot as the other values. Undefined if the account has no such
   * change, or if the change is below the floor and was archived.
   */
  last: NumberedNonce | undefined;
  /** In the order of their sequence numbers: `after` + 1, `after` + 2 and so on. */
  changes: Change[];
  /** The largest sequence number of the account when the changes were read; 0 if it has none. */
  headSequence: number;
  /** The floor of the account: changes up to this number can be archived. 0 if nothing was archived. */
  floorSequence: number;
}

/** Identifies a change of an account, even among changes that had the same number before a restore. */
export type NumberedNonce = Pick<Change, 'sequence' | 'nonce'>;

export interface AcknowledgedChange extends NumberedNonce {
  /**
   * How long ago the change was acknowledged. An age, not a time, because the clocks of this process and of
   * the database can differ.
   */
  ageMs: number;
}

export interface ChangeReader {
  /** The first changes after a sequence number. */
  listChanges(query: ChangeQuery): Promise<ChangeResult>;
  /**
   * The one or two changes of a transaction, oldest first. Undefined if the account has no transaction with
   * the reference.
   */
  listTransactionChanges(account: string, reference: string): Promise<Change[] | undefined>;
  /**
   * The indexes in `changes` of the changes that the account lacks: it has no change with the number, or one
   * with a different nonce. Changes up to the floor, and changes that were acknowledged before the account
   * was erased, do not count as missing.
   */
  findMissingChanges(account: string, changes: readonly AcknowledgedChange[]): Promise<number[]>;
  /**
   * The head sequence of each account that has one. On a cluster, the accounts of a node that does not
   * respond are left out. If that node has all of the accounts, the call fails.
   */
  readHeads(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** How many rows a store reads for a query: `limit` changes after `after`, and the change at `after`. */
export const rowsToRead = ({ after, limit }: ChangeQuery): number => (after === 0 ? limit : limit + 1);

/**
 * Makes the result of a query from the changes at and after `after`. `floor` is the change at the account's
 * floor, if the account has one.
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

/** True if the caller sent no `afterId`, or if `afterId` is the id of the change at `after`. */
export const isOfHistory = (
  { account, afterId }: Pick<ChangeQuery, 'account' | 'afterId'>,
  { last }: Pick<ChangeResult, 'last'>,
): boolean => afterId === undefined || (last !== undefined && changeId(account, last) === afterId);

/** The type of a change contains its new status: `transaction.completed`. */
export const changeType = ({ transaction }: Change): string => `transaction.${transaction.status}`;

export type FormattedChange = ReturnType<typeof formatChange>;

/** Formats a change of an account for responses and webhooks. */
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
 * The id of a change. It is the same wherever the change is read or copied to. If a change is recorded again
 * after a restore, its new commit has a different nonce, so it gets a different id.
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
 * Stamps the next commit. A retried commit also gets a new nonce, because readers may have seen the first
 * attempt.
 */
export type StampCommit = () => CommitStamp;

export const commitStamper =
  (now: () => number, drawNonce = randomNonce): StampCommit =>
  () => ({ recordedAtMs: now(), nonce: drawNonce() });

/** A random whole number from 1 to 2^52, which JavaScript and both databases hold exactly. */
export const randomNonce = (): number => Number(randomBytes(8).readBigUInt64LE() >> 12n) + 1;

/** The numbers, times and nonces of the one or two changes of a transaction. */
export interface TransactionNumbers {
  pendingSequence: number | null;
  pendingRecordedAtMs: number | null;
  pendingNonce: number | null;
  finalSequence: number | null;
  finalRecordedAtMs: number | null;
  finalNonce: number | null;
}

/**
 * The state after the change `upTo`: final, pending, or undefined if the transaction was not recorded yet.
 */
export function stateUpTo(
  { pendingSequence, finalSequence }: Pick<TransactionNumbers, 'pendingSequence' | 'finalSequence'>,
  upTo: number,
): 'final' | 'pending' | undefined {
  if (finalSequence !== null && finalSequence <= upTo) return 'final';
  return pendingSequence !== null && pendingSequence <= upTo ? 'pending' : undefined;
}

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
  const { pendingSequence, finalSequence } = numbers;
  const changes: Change[] = [];
  if (pendingSequence !== null)
    changes.push({
      sequence: pendingSequence,
      nonce: numbers.pendingNonce as number,
      previousStatus: null,
      recordedAtMs: numbers.pendingRecordedAtMs as number,
      transaction: asPending(transaction),
    });
  if (finalSequence !== null)
    changes.push({
      sequence: finalSequence,
      nonce: numbers.finalNonce as number,
      previousStatus: pendingSequence === null ? null : PENDING,
      recordedAtMs: numbers.finalRecordedAtMs as number,
      transaction,
    });
  return changes;
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
