import type { ApiKey } from '../../core/access/api-key.ts';
import type { ChangeNumberer, ChangeQuery, ChangeReader } from '../../core/changes/change.ts';
import type { Export, ExportStore, StoredExportLimits } from '../../core/exports/export.ts';
import type { ListFilter } from '../../core/list/list-filter.ts';
import type { ListQuery, Position } from '../../core/list/list-query.ts';
import type {
  ApiKeyStore,
  ApiKeyUse,
  IdempotencyKey,
  KeyRoll,
  Store,
  TransactionLister,
  TransactionRecorder,
  TransactionRetriever,
} from '../../core/store.ts';
import type { DaySum, RollUpQuery, TotalsFolder, TotalsReader } from '../../core/totals/totals.ts';
import type { AccountTransaction } from '../../core/transaction.ts';
import type {
  LeaseRequest,
  WebhookEndpoint,
  WebhookProgress,
  WebhookStore,
} from '../../core/webhooks/webhook.ts';
import { apiKeyStore } from './api-keys.ts';
import { storeCursorSecret } from './cursor-secret.ts';
import { type PostgresAddress, statement } from './driver/index.ts';
import { exportStore } from './exports.ts';
import { openImportConnection } from './import-connection.ts';
import { changeReader } from './list-changes.ts';
import { transactionLister } from './list-transactions.ts';
import { transactionNumberer } from './number-transactions.ts';
import { transactionRecorder } from './record-transactions.ts';
import { transactionRetriever } from './retrieve-transaction.ts';
import { type PostgresOptions, StoreConnections } from './store-connections.ts';
import { totalsStore } from './totals.ts';
import { webhookStore } from './webhooks.ts';

const PING = statement('SELECT 1 FROM schema_migrations LIMIT 1');

export interface PostgresStoreOptions extends PostgresOptions {
  address: PostgresAddress;
  rowLevelSecurity: boolean;
  now: () => number;
}

/** The store on a database whose schema is up to date. */
export class PostgresStore implements Store {
  readonly #options: PostgresStoreOptions;
  readonly #connections: StoreConnections;
  readonly #lister: TransactionLister;
  readonly #retriever: TransactionRetriever;
  readonly #recorder: TransactionRecorder;
  readonly #changes: ChangeReader;
  readonly #numberer: ChangeNumberer;
  readonly #totals: TotalsReader & TotalsFolder;
  readonly #exports: ExportStore;
  readonly #webhooks: WebhookStore;
  readonly #keys: ApiKeyStore;

  constructor(options: PostgresStoreOptions) {
    const { address, rowLevelSecurity } = options;
    const connections = new StoreConnections(address, rowLevelSecurity, options);
    const { requests, replicas, recordings, heldRecordings, background, rowWaitMs, heldTimeoutMs } =
      connections;
    this.#options = options;
    this.#connections = connections;
    this.#lister = transactionLister({ primary: requests, replicas, rowLevelSecurity });
    this.#retriever = transactionRetriever(requests, rowLevelSecurity);
    this.#recorder = transactionRecorder({
      connections: recordings,
      rowLevelSecurity,
      headWaitMs: rowWaitMs,
      rowWaitMs,
      now: options.now,
      held: { lane: heldRecordings, timeoutMs: heldTimeoutMs },
    });
    this.#changes = changeReader({ primary: requests, replicas, rowLevelSecurity });
    this.#numberer = transactionNumberer({
      connections: recordings,
      rowLevelSecurity,
      waitMs: rowWaitMs,
      timeoutMs: heldTimeoutMs,
      now: options.now,
    });
    this.#totals = totalsStore({ primary: requests, background, rowLevelSecurity });
    this.#exports = exportStore({ primary: requests, background, rowLevelSecurity });
    this.#webhooks = webhookStore({ primary: requests, background, rowLevelSecurity });
    this.#keys = apiKeyStore(requests);
  }

  listTransactions(query: ListQuery, limit: number) {
    return this.#lister.listTransactions(query, limit);
  }

  retrieveTransaction(account: string, reference: string) {
    return this.#retriever.retrieveTransaction(account, reference);
  }

  recordTransactions(transactions: readonly AccountTransaction[]) {
    return this.#recorder.recordTransactions(transactions);
  }

  recordHeld(transaction: AccountTransaction) {
    return this.#recorder.recordHeld(transaction);
  }

  recordOnce(transaction: AccountTransaction, once: IdempotencyKey) {
    return this.#recorder.recordOnce(transaction, once);
  }

  listChanges(query: ChangeQuery) {
    return this.#changes.listChanges(query);
  }

  readHeads(accounts: readonly string[]) {
    return this.#changes.readHeads(accounts);
  }

  numberTransactions() {
    return this.#numberer.numberTransactions();
  }

  readRollUp(query: RollUpQuery) {
    return this.#totals.readRollUp(query);
  }

  sumChanges(account: string, after: number, upTo: number) {
    return this.#totals.sumChanges(account, after, upTo);
  }

  hasUnnumbered(account: string) {
    return this.#totals.hasUnnumbered(account);
  }

  listUnfolded(afterAccount: string, limit: number) {
    return this.#totals.listUnfolded(afterAccount, limit);
  }

  fold(account: string, from: number, upTo: number, sums: readonly DaySum[]) {
    return this.#totals.fold(account, from, upTo, sums);
  }

  listNumbered(query: ListQuery, limit: number) {
    return this.#exports.listNumbered(query, limit);
  }

  sumListed(account: string, filter: ListFilter, asOf: number, after: Position | null) {
    return this.#exports.sumListed(account, filter, asOf, after);
  }

  createExport(created: Export, limits: StoredExportLimits) {
    return this.#exports.createExport(created, limits);
  }

  findExport(account: string, id: string) {
    return this.#exports.findExport(account, id);
  }

  replaceExport(replaced: Export, attempt: number) {
    return this.#exports.replaceExport(replaced, attempt);
  }

  createWebhook(created: WebhookEndpoint, limit: number) {
    return this.#webhooks.createWebhook(created, limit);
  }

  listWebhooks(account: string) {
    return this.#webhooks.listWebhooks(account);
  }

  findWebhook(account: string, id: string) {
    return this.#webhooks.findWebhook(account, id);
  }

  replaceWebhook(replaced: WebhookEndpoint, isReplay: boolean) {
    return this.#webhooks.replaceWebhook(replaced, isReplay);
  }

  deleteWebhook(account: string, id: string) {
    return this.#webhooks.deleteWebhook(account, id);
  }

  listWebhookFailures(account: string, id: string, after: number, limit: number) {
    return this.#webhooks.listWebhookFailures(account, id, after, limit);
  }

  retryWebhookFailure(account: string, id: string, sequence: number, nowMs: number) {
    return this.#webhooks.retryWebhookFailure(account, id, sequence, nowMs);
  }

  leaseWebhooks(request: LeaseRequest) {
    return this.#webhooks.leaseWebhooks(request);
  }

  listDeliverable(buckets: readonly number[]) {
    return this.#webhooks.listDeliverable(buckets);
  }

  listPendingFailures(account: string, id: string, limit: number) {
    return this.#webhooks.listPendingFailures(account, id, limit);
  }

  storeProgress(account: string, id: string, version: number, progress: WebhookProgress) {
    return this.#webhooks.storeProgress(account, id, version, progress);
  }

  disableWebhook(
    account: string,
    id: string,
    version: number,
    disabled: NonNullable<WebhookEndpoint['disabled']>,
  ) {
    return this.#webhooks.disableWebhook(account, id, version, disabled);
  }

  createApiKey(key: ApiKey) {
    return this.#keys.createApiKey(key);
  }

  findApiKey(hash: string) {
    return this.#keys.findApiKey(hash);
  }

  listApiKeys(account: string | null) {
    return this.#keys.listApiKeys(account);
  }

  revokeApiKey(id: string, nowMs: number) {
    return this.#keys.revokeApiKey(id, nowMs);
  }

  rollApiKey(roll: KeyRoll) {
    return this.#keys.rollApiKey(roll);
  }

  listKeyEnds() {
    return this.#keys.listKeyEnds();
  }

  touchApiKeys(uses: readonly ApiKeyUse[]) {
    return this.#keys.touchApiKeys(uses);
  }

  openImport() {
    return openImportConnection(this.#options.address, this.#options);
  }

  storeCursorSecret(proposed: string) {
    return storeCursorSecret(this.#connections.requests, proposed, this.#options.now());
  }

  async ping() {
    await this.#connections.requests.query(PING, []);
  }

  connectionUse() {
    return this.#connections.use;
  }

  close() {
    return this.#connections.close();
  }
}
