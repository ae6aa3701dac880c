import type { AccountLister, AccountQuery } from '../accounts/account.ts';
import { accountLister } from '../accounts/postgres/list-accounts.ts';
import { statement } from '../db/postgres/driver/index.ts';
import { readShards, type Shard } from '../db/postgres/shards.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { ApiKeyStore, ApiKeyUse, KeyRoll } from '../keys/api-key-store.ts';
import { apiKeyStore } from '../keys/postgres/api-keys.ts';
import { storeCursorSecret } from '../keys/postgres/cursor-secret.ts';
import type { ChangeQuery } from '../ledger/changes/change.ts';
import type { Export, StoredExportLimits } from '../ledger/exports/export.ts';
import type { ListFilter } from '../ledger/list/list-filter.ts';
import type { ListQuery, Position } from '../ledger/list/list-query.ts';
import { listRecordedStatuses } from '../ledger/record/postgres/recorded-statuses.ts';
import type { IdempotencyKey } from '../ledger/record/transaction-recorder.ts';
import type { DaySum, RollUpQuery } from '../ledger/totals/totals.ts';
import type { AccountTransaction } from '../ledger/transaction.ts';
import { openImportConnection } from '../operate/import/postgres/import-connection.ts';
import type { LeaseRequest, WebhookEndpoint, WebhookProgress } from '../webhooks/webhook.ts';
import {
  type AccountStore,
  type AccountStoreOptions,
  makeAccountStore,
  useOfStores,
} from './account-store.ts';
import { AccountStores, readHeadsOnWorkers, recordOnWorkers } from './account-stores.ts';
import type { Store } from './store.ts';

const PING = statement('SELECT 1 FROM schema_migrations LIMIT 1');

export interface PostgresStoreOptions extends AccountStoreOptions {
  /** Where the accounts of a cluster are; null on a single server. */
  shards: readonly Shard[] | null;
}

/** The store on a database whose schema is up to date. */
export class PostgresStore implements Store {
  readonly #options: PostgresStoreOptions;
  readonly #stores: AccountStores<AccountStore>;
  /** Serves everything that is not a matter of one account. */
  readonly #shared: AccountStore;
  readonly #keys: ApiKeyStore;
  readonly #accounts: AccountLister;
  #pinging: Promise<unknown> | undefined;

  constructor(options: PostgresStoreOptions) {
    this.#options = options;
    const make = () => makeAccountStore(options);
    this.#shared = make();
    const { requests } = this.#shared.connections;
    this.#stores = new AccountStores({
      shared: this.#shared,
      shards: options.shards,
      make,
      readShards: () => readShards((read) => requests.query(read, [])),
    });
    this.#keys = apiKeyStore(requests);
    this.#accounts = accountLister(requests);
  }

  serverOf(account: string) {
    return this.#stores.serverOf(account);
  }

  servers() {
    return this.#stores.servers;
  }

  listTransactions(query: ListQuery, limit: number) {
    return this.#stores.of(query.account).listTransactions(query, limit);
  }

  retrieveTransaction(account: string, reference: string) {
    return this.#stores.of(account).retrieveTransaction(account, reference);
  }

  recordTransactions(transactions: readonly AccountTransaction[]) {
    const stores = this.#stores.group(transactions, ({ account }) => account);
    const [only, other] = stores.keys();
    if (only !== undefined && other === undefined) return only.recordTransactions(transactions);
    return recordOnWorkers(stores, transactions);
  }

  recordHeld(transaction: AccountTransaction) {
    return this.#stores.of(transaction.account).recordHeld(transaction);
  }

  recordOnce(transaction: AccountTransaction, once: IdempotencyKey) {
    return this.#stores.of(transaction.account).recordOnce(transaction, once);
  }

  listRecordedStatuses() {
    return listRecordedStatuses(this.#shared.connections.requests);
  }

  listChanges(query: ChangeQuery) {
    return this.#stores.of(query.account).listChanges(query);
  }

  listTransactionChanges(account: string, reference: string) {
    return this.#stores.of(account).listTransactionChanges(account, reference);
  }

  readHeads(accounts: readonly string[]) {
    return readHeadsOnWorkers(
      this.#stores.group(accounts, (account) => account),
      this.#options.timeoutMs,
    );
  }

  listAccounts(query: AccountQuery, limit: number) {
    return this.#accounts.listAccounts(query, limit);
  }

  readRollUp(query: RollUpQuery) {
    return this.#stores.of(query.account).readRollUp(query);
  }

  sumChanges(account: string, after: number, upTo: number) {
    return this.#stores.of(account).sumChanges(account, after, upTo);
  }

  listUnfolded(afterAccount: string, limit: number) {
    return this.#shared.listUnfolded(afterAccount, limit);
  }

  fold(account: string, from: number, upTo: number, sums: readonly DaySum[]) {
    return this.#stores.of(account).fold(account, from, upTo, sums);
  }

  listNumbered(query: ListQuery, limit: number) {
    return this.#stores.of(query.account).listNumbered(query, limit);
  }

  sumListed(account: string, filter: ListFilter, asOf: number, after: Position | null) {
    return this.#stores.of(account).sumListed(account, filter, asOf, after);
  }

  createExport(created: Export, limits: StoredExportLimits) {
    return this.#stores.of(created.account).createExport(created, limits);
  }

  removeExpiredExports(expiredMs: number, server = '') {
    return this.#stores.at(server).removeExpiredExports(expiredMs, server);
  }

  findExport(account: string, id: string) {
    return this.#stores.of(account).findExport(account, id);
  }

  replaceExport(replaced: Export, attempt: number) {
    return this.#stores.of(replaced.account).replaceExport(replaced, attempt);
  }

  createWebhook(created: WebhookEndpoint, limit: number) {
    return this.#stores.of(created.account).createWebhook(created, limit);
  }

  listWebhooks(account: string) {
    return this.#stores.of(account).listWebhooks(account);
  }

  findWebhook(account: string, id: string) {
    return this.#stores.of(account).findWebhook(account, id);
  }

  replaceWebhook(replaced: WebhookEndpoint, isReplay: boolean) {
    return this.#stores.of(replaced.account).replaceWebhook(replaced, isReplay);
  }

  deleteWebhook(account: string, id: string) {
    return this.#stores.of(account).deleteWebhook(account, id);
  }

  listWebhookFailures(account: string, id: string, after: number, limit: number) {
    return this.#stores.of(account).listWebhookFailures(account, id, after, limit);
  }

  retryWebhookFailure(account: string, id: string, sequence: number, nowMs: number) {
    return this.#stores.of(account).retryWebhookFailure(account, id, sequence, nowMs);
  }

  leaseWebhooks(request: LeaseRequest) {
    return this.#shared.leaseWebhooks(request);
  }

  listDeliverable(buckets: readonly number[], server?: string) {
    const store = server === undefined ? this.#shared : this.#stores.at(server);
    return store.listDeliverable(buckets, server);
  }

  listPendingFailures(account: string, id: string, limit: number) {
    return this.#stores.of(account).listPendingFailures(account, id, limit);
  }

  storeProgress(account: string, id: string, version: number, progress: WebhookProgress) {
    return this.#stores.of(account).storeProgress(account, id, version, progress);
  }

  disableWebhook(
    account: string,
    id: string,
    version: number,
    disabled: NonNullable<WebhookEndpoint['disabled']>,
  ) {
    return this.#stores.of(account).disableWebhook(account, id, version, disabled);
  }

  createApiKey(key: ApiKey) {
    return this.#keys.createApiKey(key);
  }

  findApiKey(hash: string) {
    return this.#keys.findApiKey(hash);
  }

  retrieveApiKey(id: string) {
    return this.#keys.retrieveApiKey(id);
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
    return storeCursorSecret(this.#shared.connections.requests, proposed, this.#options.now());
  }

  /** One query serves all who ask while it is under way: readiness is asked for without a key, and must not fill the queue of queries. */
  async ping() {
    this.#pinging ??= this.#shared.connections.requests.query(PING, []).finally(() => {
      this.#pinging = undefined;
    });
    await this.#pinging;
  }

  connectionUse() {
    return useOfStores(this.#stores.all);
  }

  async close() {
    await Promise.all(this.#stores.all.map(({ connections }) => connections.close()));
  }
}
