import { hash, randomBytes } from 'node:crypto';
import { formatTimestamp } from '../../../values/calendar.ts';
import { PENDING } from '../../../values/status.ts';
import type { Transaction, TransactionRow } from '../transaction.ts';
import { formatTransaction } from '../transaction-fields.ts';

/** The first recording of a transaction, or the change of its status. */
export interface Change {
  /** The change's number in its account: 1, 2, 3 and so on, in the order in which changes became visible. */
  sequence: number;
  /** The random number of the commit that made the change: see `changeId`. */
  nonce: number;
  /** Null if the transaction is new. */
  previousStatus: string | null;
  recordedAtMs: number;
  transaction: Transaction;
}

export interface ChangeQuery {
  account: string;
  after: number;
  limit: number;
  /** The id that the caller has for the change at `after`. */
  afterId?: string | undefined;
}

export interface ChangeResult {
  /** The change at `after`. Undefined if there is no such change, or if it was archived. */
  last: NumberedNonce | undefined;
  changes: Change[];
  headSequence: number;
  /** Changes up to this number can be missing, because they were archived. 0 if nothing was archived. */
  floorSequence: number;
}

/** After a restore, a different change can get the same number. The nonce tells them apart. */
export type NumberedNonce = Pick<Change, 'sequence' | 'nonce'>;

export interface AcknowledgedChange extends NumberedNonce {
  ageMs: number;
}

export interface ChangeReader {
  listChanges(query: ChangeQuery): Promise<ChangeResult>;
  /** Sorts the oldest change first. Returns undefined if the transaction is missing from the account. */
  listTransactionChanges(account: string, reference: string): Promise<Change[] | undefined>;
  /** Returns the indexes of missing changes, except changes that were archived or erased. */
  findMissingChanges(account: string, changes: readonly AcknowledgedChange[]): Promise<number[]>;
  /** Leaves out accounts that have no changes or whose node does not respond. Rejects if no node responds. */
  readHeads(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export const rowsToRead = ({ after, limit }: ChangeQuery): number => (after === 0 ? limit : limit + 1);

/** If the change at `after` exists, it is the first in `read`. */
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

export const isOfHistory = (
  { account, afterId }: Pick<ChangeQuery, 'account' | 'afterId'>,
  { last }: Pick<ChangeResult, 'last'>,
): boolean => afterId === undefined || (last !== undefined && changeId(account, last) === afterId);

export const changeType = ({ transaction }: Change): string => `transaction.${transaction.status}`;

export type FormattedChange = ReturnType<typeof formatChange>;

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

/** 132 bits of base64url. */
const CHARACTERS = 22;

export const CHANGE_ID_FORM = `^chg_[A-Za-z0-9_-]{${CHARACTERS}}$`;

/** After a restore, another change can get the same sequence number. The nonce makes its id different. */
export function changeId(account: string, { sequence, nonce }: Pick<Change, 'sequence' | 'nonce'>): string {
  const digest = hash('sha256', `${account} ${sequence} ${nonce}`, 'base64url');
  return `chg_${digest.slice(0, CHARACTERS)}`;
}

export interface CommitStamp {
  recordedAtMs: number;
  nonce: number;
}

/** Call this for each attempt to commit. A nonce that is used twice could give two changes the same id. */
export type StampCommit = () => CommitStamp;

export const commitStamper =
  (now: () => number, drawNonce = randomNonce): StampCommit =>
  () => ({ recordedAtMs: now(), nonce: drawNonce() });

/** From 1 to 2^52. JavaScript, PostgreSQL and SQLite store these numbers exactly. */
export const randomNonce = (): number => Number(randomBytes(8).readBigUInt64LE() >> 12n) + 1;

export interface TransactionNumbers {
  pendingSequence: number | null;
  pendingRecordedAtMs: number | null;
  pendingNonce: number | null;
  finalSequence: number | null;
  finalRecordedAtMs: number | null;
  finalNonce: number | null;
}

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
