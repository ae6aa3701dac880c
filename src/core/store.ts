import type { ApiKey } from './access/api-key.ts';
import type { ListQuery, ListResult } from './list/list-query.ts';
import type { Comparison } from './record-transaction.ts';
import type { AccountTransaction, Transaction } from './transaction.ts';

/**
 * The store's port: everything the service asks of a database, in the service's own words.
 *
 * Every method rejects with StoreUnavailable where the database can't answer now; nothing is ever
 * answered from a failed read.
 */
export interface Store extends TransactionLister, TransactionRetriever, TransactionRecorder, ApiKeyStore {
  /** Opens what an import reads and records through: a connection of its own, shared with no request. */
  openImport(): Promise<ImportConnection>;
  /** The secret that seals cursors where the operator set none: the given one, unless one is kept already. */
  storeCursorSecret(proposed: string): Promise<string>;
  /** Resolves where the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
  /** How the connections to the database are used now, by their purpose; null if the database is in this process. */
  connectionUse(): Partial<Record<ConnectionPurpose, ConnectionUse>> | null;
}

/** Those of a `slow-` or `held-` purpose are made when something is slow or held for the first time. */
export type ConnectionPurpose =
  | 'requests'
  | 'slow-requests'
  | 'recordings'
  | 'held-recordings'
  | 'replicas'
  | 'slow-replicas';

export interface ConnectionUse {
  /** How many this process holds when all are made. */
  size: number;
  open: number;
  /** Questions that were asked and not answered yet. */
  waiting: number;
}

/** A replica that lists are read from now, or not any more. */
export interface ReplicaChange {
  /** Its address, without the password. */
  replica: string;
  /** Why no list is read from it; absent where lists are. */
  unused?: string;
}

export interface TransactionLister {
  /** At most `limit` transactions that answer the question, in the order of a Page. */
  listTransactions(question: ListQuery, limit: number): Promise<ListResult>;
}

export interface TransactionRetriever {
  /** An account's transaction with a reference, or undefined. */
  retrieveTransaction(account: string, reference: string): Promise<Transaction | undefined>;
}

/** Everything that is recorded is on the disk when the promise resolves. */
export interface TransactionRecorder {
  /**
   * Records transactions, each by itself, and returns what became of each, in their order. One that fails, or whose
   * row is held, neither fails nor delays the others.
   *
   * No two of them may have the same account and reference.
   */
  recordTransactions(transactions: readonly AccountTransaction[]): Promise<RecordResult[]>;
  /** Records a transaction whose row was held, and waits for the row, as long as a request may take. */
  recordHeld(transaction: AccountTransaction): Promise<RecordOutcome>;
  /**
   * Records a new transaction under an idempotency key of its account. One that was cut off half-way is
   * completed by the same again.
   */
  recordOnce(transaction: AccountTransaction, once: IdempotencyKey): Promise<RecordOnceOutcome>;
}

export type RecordOutcome = { outcome: 'recorded' } | Comparison;

export type RecordResult =
  | RecordOutcome
  /** Another transaction of the database holds the row: nothing was recorded. */
  | { outcome: 'held' }
  | { outcome: 'failed'; error: unknown };

export interface IdempotencyKey {
  key: string;
  /** SHA-256 of what was asked for, in lower-case hexadecimal. */
  fingerprint: string;
}

export type RecordOnceOutcome =
  | { outcome: 'recorded' }
  /** The key was used for the same before: the transaction has this reference. */
  | { outcome: 'repeated'; reference: string }
  /** The key was used for something else. */
  | { outcome: 'key_reused' };

export interface ApiKeyStore {
  createApiKey(key: ApiKey): Promise<void>;
  /** The key with a hash, revoked and expired ones too, or undefined. */
  findApiKey(hash: string): Promise<ApiKey | undefined>;
  /** All keys, or one account's, oldest first. */
  listApiKeys(account: string | null): Promise<ApiKey[]>;
  /** The key, revoked now or before, or undefined where no key has this id. */
  revokeApiKey(id: string, nowMs: number): Promise<ApiKey | undefined>;
  /** The ids of the keys whose revocation was recorded in the last REVOCATION_WINDOW_MS, by the clock of the database. */
  listRecentlyRevoked(): Promise<string[]>;
  /** Notes when keys were last used. An earlier time than the noted one changes nothing. */
  touchApiKeys(uses: readonly ApiKeyUse[]): Promise<void>;
}

/** Longer than any key is trusted without being read again, by far: clocks of machines differ. */
export const REVOCATION_WINDOW_MS = 300_000;

export interface ApiKeyUse {
  account: string;
  id: string;
  usedAtMs: number;
}

/** A transaction that is held is waited for. */
export type ImportOutcome = Exclude<RecordResult, { outcome: 'held' }>;

/** The database, as an import sees it. Its limits are those of long work. */
export interface ImportConnection {
  /** Which of the accounts hold a transaction. */
  accountsInUse(accounts: readonly string[]): Promise<ReadonlySet<string>>;
  /** The transactions of an account that have one of the references, in no order. */
  retrieveTransactions(account: string, references: readonly string[]): Promise<Transaction[]>;
  /**
   * Records as TransactionRecorder does, and lets other writers in before it resolves. A lock that is taken, a deadlock
   * and the like are waited out and tried again.
   */
  recordTransactions(transactions: readonly AccountTransaction[]): Promise<RecordedBatch>;
  /** How many batches it takes at once, so that the database never waits for the next one. */
  readonly batchesInFlight: number;
  close(): Promise<void>;
}

export interface RecordedBatch {
  outcomes: ImportOutcome[];
  /** How long others may have waited for it. */
  tookMs: number;
}

/** The database can't answer now: the caller may try again. The cause is for the log, not for the caller. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The database can't be used as it is, and trying again won't help: a sentence for the operator. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}
