import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { afterRemoval, ModelAccount, type ModelKey, shownChange } from '../model/ledger.ts';
import { shownOf } from '../model/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import type { Answer, Deployment, Sent } from './deployment.ts';

/** A transaction that was sent to be recorded. */
export interface SentTransaction {
  account: string;
  transaction: Transaction;
}

/** The response to the creation of a key. */
interface MadeKey {
  id: string;
  key: string;
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
}

/** The service beside its model: each request is sent to the one, and what it must answer is that of the other. */
export class World {
  readonly deployment: Deployment;
  accounts = new Map<string, ModelAccount>();
  /** The ids of all changes that were ever read, also of those that a restore lost: no other change has one of them. */
  readonly usedIds = new Set<string>();
  /** What was sent, and what came back. */
  readonly log: string[] = [];
  /** Names that no other step of the history used. */
  #names = 0;

  constructor(deployment: Deployment) {
    this.deployment = deployment;
  }

  now(): number {
    return this.deployment.now();
  }

  newName(): string {
    return `n${++this.#names}`;
  }

  account(name: string): ModelAccount {
    let account = this.accounts.get(name);
    if (account === undefined) {
      account = new ModelAccount();
      this.accounts.set(name, account);
    }
    return account;
  }

  note(text: string): void {
    this.log.push(text);
  }

  async operator(url: string, sent: Sent = {}): Promise<Answer | undefined> {
    const answer = await this.deployment.sendOperator(url, sent);
    this.#noteExchange(url, sent, answer);
    return answer;
  }

  /** With a key of the account, which is made if it has none. */
  async read(name: string, url: string): Promise<Answer> {
    const { key } = await this.keyOf(name);
    const answer = await this.deployment.sendPublic(url, { key });
    this.#noteExchange(`${name}: ${url}`, {}, answer);
    if (answer === undefined) throw new Error(`${url}: the connection was lost`);
    return answer;
  }

  async readOk(name: string, url: string): Promise<Answer> {
    const answer = await this.read(name, url);
    assert.equal(answer.status, 200, `${url}: ${answer.text}`);
    return answer;
  }

  #noteExchange(url: string, { method = 'GET', body, text }: Sent, answer: Answer | undefined): void {
    const sent = text ?? (body === undefined ? '' : JSON.stringify(body));
    const outcome = answer?.headers['recording-outcome'] ?? answer?.body?.code ?? '';
    this.note(`${method} ${url} ${sent.trim()} -> ${answer?.status ?? 'lost'} ${outcome}`);
  }

  isUsable({ isRevoked, expiresAtMs }: ModelKey): boolean {
    return !isRevoked && (expiresAtMs === null || expiresAtMs > this.now());
  }

  async keyOf(name: string): Promise<ModelKey> {
    const usable = this.account(name).keys.find((key) => this.isUsable(key) && key.scopes.includes('read'));
    return usable ?? (await this.createKey(name, {}));
  }

  /** Without a body, a key that reads for ever. */
  async createKey(name: string, body: { scopes?: string[]; expiresAt?: string }): Promise<ModelKey> {
    const answer = await this.operator(`/v1/accounts/${name}/keys`, { method: 'POST', body });
    assert.equal(answer?.status, 201, answer?.text);
    const { scopes = ['read'], expiresAt = null } = body;
    assert.deepEqual(answer.body.scopes, scopes);
    const lifetimeMs = expiresAt && Date.parse(expiresAt) - Date.parse(answer.body.createdAt);
    return this.addKey(name, answer.body, lifetimeMs || null);
  }

  /** Notes a key that was made. */
  addKey(name: string, made: MadeKey, lifetimeMs: number | null): ModelKey {
    const { id, key, scopes, createdAt, expiresAt } = made;
    const expiresAtMs = lifetimeMs && Date.parse(createdAt) + lifetimeMs;
    assert.equal(expiresAt, expiresAtMs && new Date(expiresAtMs).toISOString());
    const added = { id, key, scopes, lifetimeMs, expiresAtMs, isRevoked: false };
    this.account(name).keys.push(added);
    return added;
  }

  /**
   * Reads the changes that an account has got since, and adds them to the model: each is one of those that were sent, and possible. Returns
   * them.
   */
  async settle(name: string, sent: readonly SentTransaction[], random: Random): Promise<Transaction[]> {
    const account = this.account(name);
    const own = sent.filter((one) => one.account === name).map(({ transaction }) => transaction);
    const added: Transaction[] = [];
    for (let hasMore = true; hasMore; ) {
      const { head } = account;
      const id = account.idAt(head);
      const query = `after=${head}&limit=${random.integer(1, 40)}${id === null ? '' : `&afterId=${id}`}`;
      const { body } = await this.readOk(name, `/v1/changes?${query}`);
      for (const change of body.data) {
        const { id: changeId, recordedAt, transaction: shown } = change;
        // What was removed before stays removed.
        const transaction = own.find((one) =>
          isDeepStrictEqual(shownOf(afterRemoval(one, account.rows.get(one.reference))), shown),
        );
        assert.ok(transaction !== undefined, `nobody sent ${JSON.stringify(change)}`);
        const { outcome } = account.decide(transaction, Number.POSITIVE_INFINITY);
        assert.ok(
          outcome === 'recorded' || outcome === 'changed',
          `${outcome}, and a change: ${JSON.stringify(change)}`,
        );
        assert.ok(!this.usedIds.has(changeId), `another change had the id ${changeId}`);
        this.usedIds.add(changeId);
        const expected = account.add({
          sequence: account.head + 1,
          id: changeId,
          recordedAt,
          transaction,
        });
        assert.deepEqual(change, shownChange(expected));
        added.push(transaction);
      }
      hasMore = body.hasMore;
      assert.equal(body.lastSequence, account.head);
      assert.equal(body.lastId, account.idAt(account.head));
      if (!hasMore) assert.equal(body.headSequence, account.head);
    }
    return added;
  }

  /** A copy of the model, for a backup. */
  snapshot(): Map<string, ModelAccount> {
    return new Map([...this.accounts].map(([name, account]) => [name, account.clone()] as const));
  }

  /** Expects a transaction in a response. */
  assertShown(shown: unknown, transaction: Transaction, what: string): void {
    assert.deepEqual(shown, shownOf(transaction), what);
  }
}
