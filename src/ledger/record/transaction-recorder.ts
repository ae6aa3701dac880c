import type { NumberedNonce } from '../changes/change.ts';
import type { AccountTransaction } from '../transaction.ts';
import type { Comparison } from './record-transaction.ts';

export interface ServersOfAccounts {
  /** Names the server that has the rows of an account: those of different servers do not wait for each other. Absent if there is only one. */
  serverOf?(account: string): string;
  /** Names the servers that have rows of accounts, each of which can fail alone. Absent, or one empty text, if there is only one. */
  servers?(): readonly string[];
}

/** When a promise resolves, its transactions are on the disk. */
export interface TransactionRecorder {
  /**
   * Records transactions and returns the result of each, in their order. A transaction that fails, or whose row is
   * held, neither fails nor delays the others.
   *
   * No two transactions may have the same account and reference.
   */
  record(transactions: readonly AccountTransaction[], alone?: RecordAlone): Promise<RecordResult[]>;
}

/** How one transaction is recorded alone. */
export interface RecordAlone {
  /** The transaction is new, and is recorded under a key. If a call is interrupted half-way, the same call completes it. */
  once?: IdempotencyKey;
  /** Its row was held: waits for the row a little less than the time limit of a request. */
  waits?: true;
}

/** Records a transaction whose row was held. */
export const recordHeld = async (
  recorder: TransactionRecorder,
  transaction: AccountTransaction,
): Promise<RecordOutcome> => outcomeOf(await recorder.record([transaction], { waits: true }));

/** Records a new transaction under an idempotency key of its account. */
export const recordOnce = async (
  recorder: TransactionRecorder,
  transaction: AccountTransaction,
  once: IdempotencyKey,
): Promise<RecordOnceOutcome> => outcomeOf(await recorder.record([transaction], { once }));

function outcomeOf<Outcome>([result]: readonly RecordResult[]): Outcome {
  if (result?.outcome === 'failed') throw result.error;
  return result as Outcome;
}

/** A change that a recording made: its number, and the nonce of its commit. */
export type MadeChange = NumberedNonce;

export type RecordOutcome =
  | ({ outcome: 'recorded' | 'changed'; detailsRemovedAtMs?: number | null } & MadeChange)
  | Exclude<Comparison, { outcome: 'changed' }>;

/** The result of one of a group. */
export type GroupResult =
  | RecordOutcome
  /** Another transaction of the database holds the row: nothing was recorded. */
  | { outcome: 'held' }
  | { outcome: 'failed'; error: unknown };

export type RecordResult = GroupResult | RecordOnceOutcome;

export interface IdempotencyKey {
  key: string;
  /** SHA-256 of the request, in lower-case hexadecimal. */
  fingerprint: string;
  /** Only an earlier request with the key is repeated: nothing new is recorded. */
  repeatsOnly?: boolean;
}

export type RecordOnceOutcome =
  | ({ outcome: 'recorded'; reference: string } & MadeChange)
  /** The key was used for an equal request before: the transaction has this reference. */
  | { outcome: 'repeated'; reference: string }
  /** The key was used for another request, whose transaction has this reference. */
  | { outcome: 'key_reused'; reference: string }
  /** The request was not to record anything new, and nothing is recorded under its key. */
  | { outcome: 'not_recorded' };
