import type {
  AccountBehind,
  ChangeSums,
  DaySum,
  PeriodRange,
  StoredTotals,
  StoredTotalsQuery,
  Total,
} from '../../src/ledger/totals/totals.ts';
import type { ModelStore } from './model-store.ts';

const DAY_MS = 86_400_000;

/** The simplest stored totals: a list of everything that was added. */
export class ModelTotals {
  readonly #model: ModelStore;
  readonly #added = new Map<string, { sequence: number; sums: DaySum[] }>();

  constructor(model: ModelStore) {
    this.#model = model;
  }

  readStoredTotals({ account, status, currency, byDay, days, months }: StoredTotalsQuery): StoredTotals {
    const { sequence: totalsSequence, sums } = this.#totalsSequenceOf(account);
    const totals: Total[] = sums
      .filter((sum) => status === null || sum.status === status)
      .filter((sum) => currency === null || sum.currencyCode === currency)
      .filter(({ day }) => isIn(day, days) || isIn(monthOf(day), months))
      .map((sum) => ({ ...sum, day: byDay ? sum.day : null }));
    const headSequence = this.#headOf(account);
    const changes = this.#model.changes.get(account) ?? [];
    const lastNonce = changes[Math.max(totalsSequence, headSequence) - 1]?.change.nonce ?? null;
    return { totals, totalsSequence, headSequence, lastNonce };
  }

  sumChanges(account: string, after: number, upTo: number): ChangeSums {
    const { changes } = this.#model.listChanges(
      { account, after, limit: upTo - after },
      this.#model.latestCommit,
    );
    const sums = changes.flatMap(({ previousStatus, transaction }) => {
      const { createdAtMs, currencyCode, status, amountMinor } = transaction;
      const day = Math.floor(createdAtMs / DAY_MS);
      const added = { day, currencyCode, status, count: 1, amountMinor: BigInt(amountMinor) };
      if (previousStatus === null) return [added];
      return [added, { ...added, status: previousStatus, count: -1, amountMinor: -added.amountMinor }];
    });
    return { sums, lastNonce: changes.at(-1)?.nonce ?? null };
  }

  listBehind(afterAccount: string, limit: number): { accounts: AccountBehind[]; last: string | null } {
    const read = [...this.#model.changes.keys()]
      .filter((account) => account > afterAccount)
      .sort()
      .slice(0, limit);
    const accounts = read
      .map((account) => ({
        account,
        totalsSequence: this.#totalsSequenceOf(account).sequence,
        sealedSequence: this.#headOf(account),
        headSequence: this.#headOf(account),
      }))
      .filter(({ totalsSequence, headSequence }) => headSequence > totalsSequence);
    return { accounts, last: read.at(-1) ?? null };
  }

  addToTotals(account: string, from: number, upTo: number, { sums }: ChangeSums): boolean {
    const added = this.#totalsSequenceOf(account);
    if (added.sequence !== from) return false;
    this.#added.set(account, { sequence: upTo, sums: [...added.sums, ...sums] });
    return true;
  }

  #totalsSequenceOf(account: string) {
    return this.#added.get(account) ?? { sequence: 0, sums: [] };
  }

  #headOf(account: string): number {
    return this.#model.changes.get(account)?.length ?? 0;
  }
}

const isIn = (period: number, ranges: readonly PeriodRange[]) =>
  ranges.some(({ from, to }) => (from === null || period >= from) && (to === null || period <= to));

function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}
