import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountQuery } from '../accounts/account.ts';
import { accountLister } from '../accounts/sqlite/list-accounts.ts';
import { IN_MEMORY } from '../db/sqlite/open-database.ts';
import { type FileOptions, WatchedFile } from '../db/sqlite/open-file.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { ApiKeyUse, KeyRoll } from '../keys/api-key-store.ts';
import { type ApiKeyReader, apiKeyReader } from '../keys/sqlite/api-keys.ts';
import { cursorSecretReader } from '../keys/sqlite/cursor-secret.ts';
import type { ChangeQuery } from '../ledger/changes/change.ts';
import { changeLister, transactionChangeLister } from '../ledger/changes/sqlite/list-changes.ts';
import type { Export, StoredExportLimits } from '../ledger/exports/export.ts';
import { exportFinder, listedSummer, numberedLister } from '../ledger/exports/sqlite/exports.ts';
import type { ListFilter } from '../ledger/list/list-filter.ts';
import type { ListQuery, ListResult, Position } from '../ledger/list/list-query.ts';
import { transactionLister } from '../ledger/list/sqlite/list-transactions.ts';
import { transactionRetriever } from '../ledger/list/sqlite/retrieve-transaction.ts';
import { recordedStatusReader } from '../ledger/record/sqlite/recorded-statuses.ts';
import { headReader } from '../ledger/record/sqlite/sequence-numbers.ts';
import type { IdempotencyKey } from '../ledger/record/transaction-recorder.ts';
import { unfoldedLister } from '../ledger/totals/sqlite/fold-totals.ts';
import { changeSummer, dailyRollUpReader, rollUpReader } from '../ledger/totals/sqlite/totals.ts';
import type { DaySum, RollUpQuery } from '../ledger/totals/totals.ts';
import type { AccountTransaction } from '../ledger/transaction.ts';
import { openImportConnection } from '../operate/import/sqlite/import-connection.ts';
import { type WebhookReader, webhookReader } from '../webhooks/sqlite/webhooks.ts';
import type { LeaseRequest, WebhookEndpoint, WebhookProgress } from '../webhooks/webhook.ts';
import type { Store } from './store.ts';
import { inMemoryWrite, type Write } from './writer.ts';
import { WritingThread } from './writing-thread.ts';

/** Changes of an account are folded at most ten times a second, so a second try is rare. After the last one, all is read at once. */
const DAILY_ROLL_UP_TRIES = 3;

/**
 * The store on a database whose schema is up to date. Reads run on the calling thread and return at once. Writes, which
 * wait for the disk and for other programs, run on a separate thread.
 */
export class SqliteStore implements Store {
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #file: WatchedFile;
  readonly #writingThread: WritingThread | null;
  readonly #write: Write;
  readonly #list: ReturnType<typeof transactionLister>;
  readonly #listChanges: ReturnType<typeof changeLister>;
  readonly #listTransactionChanges: ReturnType<typeof transactionChangeLister>;
  readonly #readHead: ReturnType<typeof headReader>;
  readonly #readRollUp: ReturnType<typeof rollUpReader>;
  readonly #readDailyRollUp: ReturnType<typeof dailyRollUpReader>;
  readonly #sumChanges: ReturnType<typeof changeSummer>;
  readonly #listUnfolded: ReturnType<typeof unfoldedLister>;
  readonly #readStatuses: () => string[];
  readonly #retrieve: ReturnType<typeof transactionRetriever>;
  readonly #listNumbered: ReturnType<typeof numberedLister>;
  readonly #sumListed: ReturnType<typeof listedSummer>;
  readonly #findExport: ReturnType<typeof exportFinder>;
  readonly #webhooks: WebhookReader;
  readonly #keys: ApiKeyReader;
  readonly #listAccounts: ReturnType<typeof accountLister>;
  readonly #readCursorSecret: () => string | undefined;
  readonly #ping: StatementSync;
  /** The turn of the event loop in which the last of the slices is read that wait. */
  #lastSlice: Promise<void> = Promise.resolve();

  /** The schema was read on the connection, so that SQLite has opened all files. */
  constructor(db: DatabaseSync, path: string, now: () => number, { timeoutMs, onFileChange }: FileOptions) {
    // From here on, this connection only reads, on the thread that serves requests: it must never wait for a lock.
    db.exec('PRAGMA busy_timeout = 0');
    this.#db = db;
    this.#now = now;
    this.#file = new WatchedFile(path, onFileChange);
    // A write fails a little before the time limit of its request.
    this.#writingThread =
      path === IN_MEMORY ? null : new WritingThread(this.#file.open, Math.ceil(timeoutMs * 0.9));
    this.#write = this.#writingThread?.write ?? inMemoryWrite(db);
    this.#list = transactionLister(db);
    this.#listChanges = changeLister(db);
    this.#listTransactionChanges = transactionChangeLister(db);
    this.#readHead = headReader(db);
    this.#readRollUp = rollUpReader(db);
    this.#readDailyRollUp = dailyRollUpReader(db);
    this.#sumChanges = changeSummer(db);
    this.#listUnfolded = unfoldedLister(db);
    this.#readStatuses = recordedStatusReader(db);
    this.#retrieve = transactionRetriever(db);
    this.#listNumbered = numberedLister(db);
    this.#sumListed = listedSummer(db);
    this.#findExport = exportFinder(db);
    this.#webhooks = webhookReader(db);
    this.#keys = apiKeyReader(db);
    this.#listAccounts = accountLister(db);
    this.#readCursorSecret = cursorSecretReader(db);
    this.#ping = db.prepare('SELECT 1 FROM schema_migrations LIMIT 1');
  }

  get fileIdentity() {
    return this.#file.identity;
  }

  async listTransactions(query: ListQuery, limit: number): Promise<ListResult> {
    return { transactions: this.#file.read(() => this.#list(query, limit)) };
  }

  async retrieveTransaction(account: string, reference: string) {
    return this.#file.read(() => this.#retrieve(account, reference));
  }

  recordTransactions(transactions: readonly AccountTransaction[]) {
    return this.#write('recordTransactions', transactions, this.#now());
  }

  /** SQLite locks the whole database, never one row. */
  recordHeld(): Promise<never> {
    return Promise.reject(new Error('SQLite reports no row as held'));
  }

  recordOnce(transaction: AccountTransaction, once: IdempotencyKey) {
    return this.#write('recordOnce', transaction, once, this.#now());
  }

  async listRecordedStatuses() {
    return this.#file.read(this.#readStatuses);
  }

  async listChanges(query: ChangeQuery) {
    return this.#file.read(() => this.#listChanges(query));
  }

  async listTransactionChanges(account: string, reference: string) {
    return this.#file.read(() => this.#listTransactionChanges(account, reference));
  }

  async readHeads(accounts: readonly string[]) {
    return this.#file.read(() => {
      const heads = accounts.map((account) => [account, this.#readHead(account)] as const);
      return new Map(heads.filter(([, head]) => head > 0));
    });
  }

  async readRollUp(query: RollUpQuery) {
    for (let tries = 0; query.byDay && tries < DAILY_ROLL_UP_TRIES; tries++) {
      const found = await this.#file.read(() => this.#readDailyRollUp(query, () => nextTurn()));
      if (found !== undefined) return found;
    }
    return this.#file.read(() => this.#readRollUp(query));
  }

  async sumChanges(account: string, after: number, upTo: number) {
    // Totals of an account that is far behind take many slices. Each has a turn of the event loop of its own, however many
    // totals are read at once, and other requests are answered in between.
    this.#lastSlice = this.#lastSlice.then(() => nextTurn());
    await this.#lastSlice;
    return this.#file.read(() => this.#sumChanges(account, after, upTo));
  }

  async listUnfolded(afterAccount: string, limit: number) {
    await nextTurn();
    return this.#file.read(() => this.#listUnfolded(afterAccount, limit));
  }

  fold(account: string, from: number, upTo: number, sums: readonly DaySum[]) {
    return this.#write('fold', account, from, upTo, sums);
  }

  readonly listsOnThisThread = true;

  async listNumbered(query: ListQuery, limit: number) {
    return this.#file.read(() => this.#listNumbered(query, limit));
  }

  async sumListed(account: string, filter: ListFilter, asOf: number, after: Position | null) {
    await nextTurn();
    return this.#file.read(() => this.#sumListed(account, filter, asOf, after));
  }

  createExport(created: Export, limits: StoredExportLimits) {
    return this.#write('createExport', created, limits);
  }

  removeExpiredExports(expiredMs: number) {
    return this.#write('removeExpiredExports', expiredMs);
  }

  async findExport(account: string, id: string) {
    return this.#file.read(() => this.#findExport(account, id));
  }

  replaceExport(replaced: Export, attempt: number) {
    return this.#write('replaceExport', replaced, attempt);
  }

  createWebhook(created: WebhookEndpoint, limit: number) {
    return this.#write('createWebhook', created, limit);
  }

  async listWebhooks(account: string) {
    return this.#file.read(() => this.#webhooks.listWebhooks(account));
  }

  async findWebhook(account: string, id: string) {
    return this.#file.read(() => this.#webhooks.findWebhook(account, id));
  }

  replaceWebhook(replaced: WebhookEndpoint, isReplay: boolean) {
    return this.#write('replaceWebhook', replaced, isReplay);
  }

  deleteWebhook(account: string, id: string) {
    return this.#write('deleteWebhook', account, id);
  }

  async listWebhookFailures(account: string, id: string, after: number, limit: number) {
    return this.#file.read(() => this.#webhooks.listWebhookFailures(account, id, after, limit));
  }

  retryWebhookFailure(account: string, id: string, sequence: number, nowMs: number) {
    return this.#write('retryWebhookFailure', account, id, sequence, nowMs);
  }

  leaseWebhooks(request: LeaseRequest) {
    return this.#write('leaseWebhooks', request);
  }

  async listDeliverable(buckets: readonly number[]) {
    return this.#file.read(() => this.#webhooks.listDeliverable(buckets));
  }

  async listPendingFailures(account: string, id: string, limit: number) {
    return this.#file.read(() => this.#webhooks.listPendingFailures(account, id, limit));
  }

  storeProgress(account: string, id: string, version: number, progress: WebhookProgress) {
    return this.#write('storeProgress', account, id, version, progress);
  }

  disableWebhook(...values: Parameters<Store['disableWebhook']>) {
    return this.#write('disableWebhook', ...values);
  }

  createApiKey(key: ApiKey) {
    return this.#write('createApiKey', key);
  }

  async findApiKey(hash: string) {
    return this.#file.read(() => this.#keys.findApiKey(hash));
  }

  async retrieveApiKey(id: string) {
    return this.#file.read(() => this.#keys.retrieveApiKey(id));
  }

  async listApiKeys(account: string | null) {
    return this.#file.read(() => this.#keys.listApiKeys(account));
  }

  revokeApiKey(id: string, nowMs: number) {
    return this.#write('revokeApiKey', id, nowMs);
  }

  rollApiKey(roll: KeyRoll) {
    return this.#write('rollApiKey', roll);
  }

  async listKeyEnds() {
    return this.#file.read(() => this.#keys.listKeyEnds());
  }

  touchApiKeys(uses: readonly ApiKeyUse[]) {
    return this.#write('touchApiKeys', uses);
  }

  async listAccounts(query: AccountQuery, limit: number) {
    return this.#file.read(() => this.#listAccounts(query, limit));
  }

  async openImport() {
    return openImportConnection(this.#file.open, this.#db, this.#now);
  }

  async storeCursorSecret(proposed: string) {
    const stored = this.#file.read(this.#readCursorSecret);
    return stored ?? this.#write('storeCursorSecret', proposed, this.#now());
  }

  async ping() {
    this.#file.look();
    this.#file.read(() => this.#ping.get());
  }

  connectionUse() {
    return null;
  }

  async close() {
    this.#file.stop();
    await this.#writingThread?.close();
    if (this.#db.isOpen) this.#db.close();
  }
}
