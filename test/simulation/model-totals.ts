import type { CountedTotals, StoredTotalsQuery } from '../../src/ledger/totals/totals.ts';
import type { ModelStore } from './model-store.ts';

const DAY_MS = 86_400_000;

/** The simplest stored totals: what each change adds, one after the other. */
export class ModelTotals {
  readonly #model: ModelStore;

  constructor(model: ModelStore) {
    this.#model = model;
  }

  readStoredTotals({ account, status, currency, byDay, days }: StoredTotalsQuery): CountedTotals {
    const changes = this.#model.changes.get(account) ?? [];
    const totals = changes
      .flatMap(({ change: { previousStatus, transaction } }) => {
        const { createdAtMs, currencyCode, amountMinor } = transaction;
        const day = Math.floor(createdAtMs / DAY_MS);
        const added = {
          day,
          currencyCode,
          status: transaction.status,
          count: 1,
          amountMinor: BigInt(amountMinor),
        };
        if (previousStatus === null) return [added];
        return [added, { ...added, status: previousStatus, count: -1, amountMinor: -added.amountMinor }];
      })
      .filter((sum) => status === null || sum.status === status)
      .filter((sum) => currency === null || sum.currencyCode === currency)
      .filter(({ day }) => days !== null && (days.from ?? day) <= day && day <= (days.to ?? day))
      .map((sum) => ({ ...sum, day: byDay ? sum.day : null }));
    return { totals, asOf: changes.length, lastNonce: this.readNonce(account, changes.length) };
  }

  readNonce(account: string, sequence: number): number | null {
    return this.#model.changes.get(account)?.[sequence - 1]?.change.nonce ?? null;
  }
}
