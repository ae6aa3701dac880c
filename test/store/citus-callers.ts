import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Change } from '../../src/ledger/changes/change.ts';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { recordHeld } from '../../src/ledger/record/record.ts';
import { type Sealer, sealUpTo } from '../../src/ledger/seals/seals.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { transaction } from '../rig/data/transactions.ts';
import { until } from '../rig/run/give-up.ts';

const PENDING_EVERY = 3;
const PAGE = 100;
const RETRY_MS = 20;

export class Callers {
  readonly counts = { recordings: 0, lists: 0, changes: 0, seals: 0, sentAgain: 0, unavailable: 0 };
  readonly #store: () => Store;
  readonly #recorded: Map<string, number>;
  readonly #followed: Map<string, Change[]>;
  #isStopped = true;

  constructor(accounts: readonly string[], store: () => Store) {
    this.#store = store;
    this.#recorded = new Map(accounts.map((account) => [account, 0]));
    this.#followed = new Map(accounts.map((account) => [account, []]));
  }

  async during(work: () => Promise<unknown>, { mayRefuse }: { mayRefuse: boolean }): Promise<void> {
    this.#isStopped = false;
    const repeat = async (step: () => Promise<void>, isRepeated = mayRefuse) => {
      while (!this.#isStopped)
        try {
          await step();
        } catch (error) {
          if (!isRepeated || !(error instanceof StoreUnavailable)) throw error;
          this.counts.unavailable++;
          await delay(RETRY_MS);
        }
    };
    const calls = [...this.#recorded.keys()].flatMap((account) => [
      repeat(() => this.#recordNext(account)),
      repeat(() => this.#list(account)),
      repeat(() => this.#follow(account)),
      repeat(() => this.#seal(account), true),
    ]);
    try {
      await Promise.race([work(), Promise.all(calls)]);
    } finally {
      this.#isStopped = true;
    }
    await Promise.all(calls);
  }

  async untilRecorded(more: number): Promise<void> {
    const before = new Map(this.#recorded);
    const isBehind = () =>
      [...this.#recorded].some(([account, recorded]) => recorded < (before.get(account) as number) + more);
    await until(() => !isBehind());
  }

  async check(): Promise<void> {
    for (const [account, recorded] of this.#recorded) {
      await this.#follow(account, Number.POSITIVE_INFINITY);
      const shown = (this.#followed.get(account) as Change[]).map(
        ({ sequence, previousStatus, transaction: { reference, status } }) =>
          `${sequence} ${reference} ${previousStatus} ${status}`,
      );
      let sequence = 0;
      const expected = Array.from({ length: recorded }, (_, nth) => recordingsOf(account, nth))
        .flatMap((rows) => rows.map((row, at) => [row, rows[at - 1]?.status ?? null] as const))
        .map(([{ reference, status }, before]) => `${++sequence} ${reference} ${before} ${status}`);
      assert.deepEqual(shown, expected);
      const query = { account, filter: NO_FILTER, after: null };
      const { transactions } = await this.#store().listTransactions(query, recorded + 1);
      assert.equal(new Set(transactions.map(({ reference }) => reference)).size, recorded);
      assert.equal(transactions.length, recorded);
    }
  }

  async #recordNext(account: string): Promise<void> {
    const nth = this.#recorded.get(account) as number;
    for (const row of recordingsOf(account, nth)) await this.#recordUntilDone(row);
    this.#recorded.set(account, nth + 1);
    this.counts.recordings++;
  }

  async #recordUntilDone(row: AccountTransaction): Promise<void> {
    for (;;) {
      const [result] = await this.#store()
        .record([row])
        .catch((error) => [{ outcome: 'failed' as const, error }]);
      const settled =
        result?.outcome === 'held'
          ? await recordHeld(this.#store(), row).catch((error) => ({ outcome: 'failed' as const, error }))
          : result;
      if (settled?.outcome !== 'failed') {
        assert.ok(['recorded', 'changed', 'unchanged'].includes(settled?.outcome as string));
        return;
      }
      if (!(settled.error instanceof StoreUnavailable)) throw settled.error;
      this.counts.sentAgain++;
      await delay(RETRY_MS);
    }
  }

  async #list(account: string): Promise<void> {
    const known = Math.min(PAGE, this.#recorded.get(account) as number);
    const query = { account, filter: NO_FILTER, after: null };
    const { transactions } = await this.#store().listTransactions(query, PAGE);
    assert.ok(transactions.length >= known);
    this.counts.lists++;
  }

  async #follow(account: string, pages = 1): Promise<void> {
    const followed = this.#followed.get(account) as Change[];
    for (let page = 0; page < pages; page++) {
      const after = followed.length;
      const { changes } = await this.#store().listChanges({ account, after, limit: PAGE });
      for (const change of changes) {
        assert.equal(change.sequence, followed.length + 1);
        followed.push(change);
      }
      this.counts.changes += changes.length;
      if (changes.length === 0) return;
    }
  }

  async #seal(account: string): Promise<void> {
    const sealer: Sealer = {
      readSeal: (...values) => this.#store().readSeal(...values),
      sealChanges: (...values) => this.#store().sealChanges(...values),
      storeSeals: (...values) => this.#store().storeSeals(...values),
    };
    const { changes } = await sealUpTo(
      sealer,
      account,
      {},
      {
        isStopped: () => this.#isStopped,
        monotonicMs: () => performance.now(),
        pause: () => delay(RETRY_MS),
      },
    );
    this.counts.seals += changes;
    if (changes === 0) await delay(RETRY_MS);
  }
}

function recordingsOf(account: string, nth: number): AccountTransaction[] {
  const name = String(nth).padStart(6, '0');
  if (nth % PENDING_EVERY !== 0) return [transaction(account, name, { createdAtMs: nth })];
  const row = pending(account, name, nth);
  return [row, completed(row)];
}
