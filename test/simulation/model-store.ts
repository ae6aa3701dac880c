import type { ApiKey } from '../../src/keys/api-key.ts';
import type { ApiKeyPlace, KeyEnd, KeyRoll } from '../../src/keys/api-key-store.ts';
import type { Change, ChangeQuery, ChangeResult } from '../../src/ledger/changes/change.ts';
import type { ListQuery } from '../../src/ledger/list/list-query.ts';
import type {
  IdempotencyKey,
  MadeChange,
  RecordOnceOutcome,
  RecordOutcome,
} from '../../src/ledger/record/transaction-recorder.ts';
import type { AccountTransaction, Transaction } from '../../src/ledger/transaction.ts';
import { compareInList, decide, EVERYTHING, matches } from '../model/transactions.ts';

/** Of the port: how many ends of keys are read at once, and from how long ago at first. */
const KEY_ENDS_PAGE = 500;
const KEY_ENDS_WINDOW_MS = 300_000;

interface Version {
  transaction: AccountTransaction;
  /** The commit that wrote this version. */
  commit: number;
}

interface NumberedChange {
  change: Change;
  /** The commit that recorded it. */
  commit: number;
}

/**
 * The simplest database in memory. It keeps every version of every row, so that a list can be read at any commit, as
 * on a replica. Each method is one database transaction and returns at once.
 */
export class ModelStore {
  /** The time of each commit, in order; the first is the empty database. */
  readonly commitTimes: number[] = [Number.NEGATIVE_INFINITY];
  readonly rows = new Map<string, Version[]>();
  readonly idempotencyKeys = new Map<string, { fingerprint: string; reference: string }>();
  /** The changes of each account, in the order of their sequence numbers. */
  readonly changes = new Map<string, NumberedChange[]>();
  readonly apiKeys: (ApiKey & { endRecordedAtMs?: number })[] = [];
  readonly #nowMs: () => number;
  #cursorSecret: string | undefined;

  /** `nowMs`: the clock of the database. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get latestCommit(): number {
    return this.commitTimes.length - 1;
  }

  /** The last commit before or at a time. */
  commitAt(timeMs: number): number {
    return this.commitTimes.findLastIndex((committedAtMs) => committedAtMs <= timeMs);
  }

  /** The transactions of a list at a commit. */
  listTransactions({ account, filter, after }: ListQuery, limit: number, commit: number): Transaction[] {
    const found: AccountTransaction[] = [];
    for (const versions of this.rows.values()) {
      const row = versions.findLast((version) => version.commit <= commit)?.transaction;
      if (row === undefined || row.account !== account) continue;
      if (!matches(filter, row)) continue;
      if (after !== null && compareInList(after, row) >= 0) continue;
      found.push(row);
    }
    return found.sort(compareInList).slice(0, limit).map(withoutAccount);
  }

  retrieveTransaction(account: string, reference: string): Transaction | undefined {
    const found = this.rows.get(`${account} ${reference}`)?.at(-1);
    return found && withoutAccount(found.transaction);
  }

  /** The change feed at a commit. */
  listChanges({ account, after, limit }: ChangeQuery, commit: number): ChangeResult {
    const numbered = this.changes.get(account) ?? [];
    const headSequence = numbered.findLastIndex((one) => one.commit <= commit) + 1;
    const page = numbered.slice(after, Math.min(after + limit, headSequence));
    const last = after > headSequence ? undefined : numbered[after - 1]?.change;
    return { last, changes: page.map(({ change }) => change), headSequence, floorSequence: 0 };
  }

  listTransactionChanges(account: string, reference: string): Change[] | undefined {
    const all = (this.changes.get(account) ?? []).map(({ change }) => change);
    const own = all.filter(({ transaction }) => transaction.reference === reference);
    return own.length > 0 ? own : undefined;
  }

  readHeads(accounts: readonly string[]): Map<string, number> {
    const heads = accounts.map((account): [string, number] => [
      account,
      this.changes.get(account)?.length ?? 0,
    ]);
    return new Map(heads.filter(([, headSequence]) => headSequence > 0));
  }

  /** All transactions of an account as they were when its head sequence was a number. */
  transactionsAt(account: string, headSequence: number): Transaction[] {
    const [next] = this.changes.get(account)?.slice(headSequence) ?? [];
    const commit = next === undefined ? this.latestCommit : next.commit - 1;
    const query = { account, filter: EVERYTHING, after: null };
    return this.listTransactions(query, Number.POSITIVE_INFINITY, commit);
  }

  recordTransactions(transactions: readonly AccountTransaction[]): RecordOutcome[] {
    const identities = new Set(transactions.map(({ account, reference }) => `${account} ${reference}`));
    if (identities.size < transactions.length) throw new Error('a group has one transaction twice');
    this.commitTimes.push(this.#nowMs());
    return transactions.map((transaction) => this.#record(transaction));
  }

  recordOnce(transaction: AccountTransaction, { key, fingerprint }: IdempotencyKey): RecordOnceOutcome {
    const used = this.idempotencyKeys.get(`${transaction.account} ${key}`);
    if (used !== undefined) {
      const outcome = used.fingerprint === fingerprint ? 'repeated' : 'key_reused';
      return { outcome, reference: used.reference };
    }
    this.commitTimes.push(this.#nowMs());
    this.idempotencyKeys.set(`${transaction.account} ${key}`, {
      fingerprint,
      reference: transaction.reference,
    });
    const { reference } = transaction;
    return { ...this.#record(transaction), outcome: 'recorded', reference } as RecordOnceOutcome;
  }

  createApiKey(key: ApiKey): void {
    this.apiKeys.push({ ...key });
  }

  findApiKey(hash: string): ApiKey | undefined {
    const found = this.apiKeys.find((key) => key.hash === hash);
    return found && { ...found };
  }

  retrieveApiKey(id: string): ApiKey | undefined {
    const found = this.apiKeys.find((key) => key.id === id);
    return found && { ...found };
  }

  listApiKeys(account: string | null, after: ApiKeyPlace | null, limit: number): ApiKey[] {
    const placeOf = (key: ApiKeyPlace) =>
      [key.account, String(key.createdAtMs).padStart(16, '0'), key.id].join(' ');
    return this.apiKeys
      .filter((key) => account === null || key.account === account)
      .filter((key) => after === null || placeOf(key) > placeOf(after))
      .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
      .slice(0, limit)
      .map((key) => ({ ...key }));
  }

  revokeApiKey(id: string, nowMs: number): ApiKey | undefined {
    const key = this.apiKeys.find((one) => one.id === id);
    if (key === undefined) return undefined;
    if (key.revokedAtMs === null) key.endRecordedAtMs = this.#nextEndMs();
    key.revokedAtMs ??= nowMs;
    return { ...key };
  }

  rollApiKey({ account, id, created, untilMs, nowMs }: KeyRoll): ApiKey | undefined {
    const key = this.apiKeys.find((one) => one.id === id && one.account === account);
    if (key === undefined || key.revokedAtMs !== null) return undefined;
    if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return undefined;
    if (key.rolledAtMs === null) key.expiresBeforeRollMs = key.expiresAtMs;
    key.rolledAtMs ??= nowMs;
    key.expiresAtMs = Math.min(key.expiresAtMs ?? untilMs, untilMs);
    key.endRecordedAtMs = this.#nextEndMs();
    if (created !== null) this.createApiKey(created);
    return { ...key };
  }

  #nextEndMs(): number {
    return Math.max(this.#nowMs(), ...this.apiKeys.map(({ endRecordedAtMs = 0 }) => endRecordedAtMs + 1));
  }

  listKeyEnds(fromRecordedAtMs: number | null): KeyEnd[] {
    const fromMs = fromRecordedAtMs ?? Math.min(this.#nowMs() - KEY_ENDS_WINDOW_MS, this.#nextEndMs() - 1);
    return this.apiKeys
      .map(({ id, revokedAtMs, expiresAtMs, endRecordedAtMs: recordedAtMs = Number.NEGATIVE_INFINITY }) => ({
        id,
        revokedAtMs,
        expiresAtMs,
        recordedAtMs,
      }))
      .filter(({ recordedAtMs }) => recordedAtMs >= fromMs)
      .sort((one, next) => one.recordedAtMs - next.recordedAtMs)
      .slice(0, KEY_ENDS_PAGE);
  }

  touchApiKeys(uses: readonly { id: string; usedAtMs: number }[]): void {
    for (const { id, usedAtMs } of uses) {
      const key = this.apiKeys.find((one) => one.id === id);
      if (key !== undefined) key.lastUsedAtMs = Math.max(key.lastUsedAtMs ?? usedAtMs, usedAtMs);
    }
  }

  storeCursorSecret(proposed: string): string {
    this.#cursorSecret ??= proposed;
    return this.#cursorSecret;
  }

  #record(transaction: AccountTransaction): RecordOutcome {
    const identity = `${transaction.account} ${transaction.reference}`;
    const version = { transaction, commit: this.latestCommit };
    const versions = this.rows.get(identity) ?? [];
    const recorded = versions.at(-1)?.transaction;
    const decision = decide(recorded, transaction);
    if (decision.outcome !== 'recorded' && decision.outcome !== 'changed') return decision;
    this.rows.set(identity, [...versions, version]);
    return { ...decision, ...this.#addChange(transaction, recorded?.status ?? null) };
  }

  #addChange(transaction: AccountTransaction, previousStatus: string | null): MadeChange {
    const changes = this.changes.get(transaction.account) ?? [];
    this.changes.set(transaction.account, changes);
    const change = {
      sequence: changes.length + 1,
      nonce: this.latestCommit,
      previousStatus,
      recordedAtMs: this.#nowMs(),
      transaction: withoutAccount(transaction),
    };
    changes.push({ change, commit: this.latestCommit });
    return { sequence: change.sequence, nonce: change.nonce };
  }
}

function withoutAccount({ account: _, ...transaction }: AccountTransaction): Transaction {
  return transaction;
}
