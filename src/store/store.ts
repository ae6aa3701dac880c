import type { AccountLister } from '../accounts/account.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { ChangeNumberer, ChangeReader } from '../ledger/changes/change.ts';
import type { ExportStore } from '../ledger/exports/export.ts';
import type { ListQuery, ListResult } from '../ledger/list/list-query.ts';
import type { Comparison } from '../ledger/record/record-transaction.ts';
import type { TotalsFolder, TotalsReader } from '../ledger/totals/totals.ts';
import type { AccountTransaction, Transaction } from '../ledger/transaction.ts';
import type { WebhookStore } from '../webhooks/webhook.ts';

/**
 * The port to a database: every query and every write of the service, in the service's terms.
 *
 * Every method rejects with StoreUnavailable if the database can't answer now. A failed read never returns a result.
 */
export interface Store
  extends TransactionLister,
    TransactionRetriever,
    TransactionRecorder,
    ChangeReader,
    ChangeNumberer,
    TotalsReader,
    TotalsFolder,
    ExportStore,
    WebhookStore,
    ApiKeyStore,
    AccountLister {
  /** Opens a connection for an import, which no request shares. */
  openImport(): Promise<ImportConnection>;
  /** Stores `proposed` unless a secret is stored, and returns the stored secret. It seals cursors if no setting does. */
  storeCursorSecret(proposed: string): Promise<string>;
  /** Names the server that has the rows of an account: those of different servers do not wait for each other. Absent if there is only one. */
  serverOf?(account: string): string;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
  /** The current use of the connections to the database, by purpose; null if the database runs in this process. */
  connectionUse(): Partial<Record<ConnectionPurpose, ConnectionUse>> | null;
}

/**
 * `requests` also has the lookups of keys and the pings. Connections for `slow-` and `held-` purposes are opened when a
 * query is slow, or a row held, for the first time; those of `background` when an export is read, changes are folded or webhooks
 * are delivered.
 */
export type ConnectionPurpose =
  | 'requests'
  | 'slow-requests'
  | 'background'
  | 'recordings'
  | 'held-recordings'
  | 'replicas'
  | 'slow-replicas';

export interface ConnectionUse {
  /** The number of connections when all are open. */
  size: number;
  open: number;
  /** Queries without a result yet: those that wait, and those that the database executes. A group of recordings is one query. */
  inFlight: number;
}

/** The service starts or stops reading lists from a replica. */
export interface ReplicaChange {
  /** Its address, without the password. */
  replica: string;
  /** Why no lists are read from it; absent if lists are. */
  unused?: string;
}

export interface TransactionLister {
  /** The first transactions of a list query, at most `limit`, in the order of a Page. */
  listTransactions(query: ListQuery, limit: number): Promise<ListResult>;
}

export interface TransactionRetriever {
  /** An account's transaction with a reference, or undefined. */
  retrieveTransaction(account: string, reference: string): Promise<Transaction | undefined>;
}

/** When a promise resolves, its transactions are on the disk. */
export interface TransactionRecorder {
  /**
   * Records transactions and returns the result of each, in their order. A transaction that fails, or whose row is
   * held, neither fails nor delays the others.
   *
   * No two transactions may have the same account and reference.
   */
  recordTransactions(transactions: readonly AccountTransaction[]): Promise<RecordResult[]>;
  /** Records a transaction whose row was held. Waits for the row a little less than the time limit of a request. */
  recordHeld(transaction: AccountTransaction): Promise<RecordOutcome>;
  /**
   * Records a new transaction under an idempotency key of its account. If a call is interrupted half-way, the same
   * call completes it.
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
  /** SHA-256 of the request, in lower-case hexadecimal. */
  fingerprint: string;
}

export type RecordOnceOutcome =
  | { outcome: 'recorded' }
  /** The key was used for an equal request before: the transaction has this reference. */
  | { outcome: 'repeated'; reference: string }
  /** The key was used for another request. */
  | { outcome: 'key_reused' };

export interface ApiKeyStore {
  createApiKey(key: ApiKey): Promise<void>;
  /** The key with a hash, even if it is revoked or expired, or undefined. */
  findApiKey(hash: string): Promise<ApiKey | undefined>;
  /** All keys, or one account's, oldest first. */
  listApiKeys(account: string | null): Promise<ApiKey[]>;
  /** Revokes a key, unless it is revoked already, and returns it. Undefined if no key has this id. */
  revokeApiKey(id: string, nowMs: number): Promise<ApiKey | undefined>;
  /**
   * Stores the new key of a roll, and lowers the expiry of the old one to at most `untilMs`, in one transaction of the database. Returns
   * the old key then. Undefined, with nothing stored, if the account has no such key, or it is revoked or expired.
   */
  rollApiKey(roll: KeyRoll): Promise<ApiKey | undefined>;
  /** The ends of the keys that were revoked or rolled in the last KEY_ENDS_WINDOW_MS, by the clock of the database. */
  listKeyEnds(): Promise<KeyEnd[]>;
  /** Stores when keys were last used. A time before the stored one changes nothing. */
  touchApiKeys(uses: readonly ApiKeyUse[]): Promise<void>;
}

/** A key is replaced by a new one, and ends a while later. */
export interface KeyRoll {
  /** Of the old key. */
  account: string;
  id: string;
  created: ApiKey;
  untilMs: number;
  nowMs: number;
}

/** The end of a key that was revoked or rolled. */
export interface KeyEnd extends Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'> {
  id: string;
}

/** Far longer than a key is cached, because the clocks of machines differ. */
export const KEY_ENDS_WINDOW_MS = 300_000;

export interface ApiKeyUse {
  account: string;
  id: string;
  usedAtMs: number;
}

/** An import waits for held rows. */
export type ImportOutcome = Exclude<RecordResult, { outcome: 'held' }>;

/** The queries and writes of an import. Their time limits are longer than a request's. */
export interface ImportConnection {
  /** Which of the accounts have a transaction. */
  accountsInUse(accounts: readonly string[]): Promise<ReadonlySet<string>>;
  /** The transactions of an account with these references, in any order. */
  retrieveTransactions(account: string, references: readonly string[]): Promise<Transaction[]>;
  /**
   * Records as TransactionRecorder does, and lets other writers work before it resolves. Waits for locks and retries
   * after deadlocks.
   */
  recordTransactions(transactions: readonly AccountTransaction[]): Promise<RecordedBatch>;
  /** How many batches can be in flight, so that the database always has the next one. */
  readonly batchesInFlight: number;
  /** The rights for recording that the database user lacks, found without writing. Absent if the database has no users. */
  missingRights?(): Promise<string[]>;
  close(): Promise<void>;
}

export interface RecordedBatch {
  outcomes: ImportOutcome[];
  /** The longest time that other writers could wait for this batch. */
  tookMs: number;
}

/** The database can't answer now; the caller can retry. The cause is for the log, not for the caller. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The database can't be used until the operator changes something. The message is a sentence for the operator. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}
