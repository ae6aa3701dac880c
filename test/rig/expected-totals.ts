import type { Change } from '../../src/ledger/changes/change.ts';
import type { Total, TotalsQuery } from '../../src/ledger/totals/totals.ts';

const DAY_MS = 86_400_000;

/** Totals as of a number, change by change: slow, and obviously correct. `changes` are all of the account. */
export function expectedTotals(
  changes: readonly Change[],
  asOf: number,
  { status, currency, fromDay, toDay, byDay }: TotalsQuery,
): Total[] {
  const statuses = new Map<string, Change>();
  for (const change of changes)
    if (change.sequence <= asOf) statuses.set(change.transaction.reference, change);
  const totals = new Map<string, Total>();
  for (const { transaction } of statuses.values()) {
    const { currencyCode, amountMinor } = transaction;
    const day = Math.floor(transaction.createdAtMs / DAY_MS);
    if (status !== null && transaction.status !== status) continue;
    if (currency !== null && currencyCode !== currency) continue;
    if ((fromDay !== null && day < fromDay) || (toDay !== null && day > toDay)) continue;
    const key = [
      byDay ? String(day + 1_000_000).padStart(8, '0') : '',
      currencyCode,
      transaction.status,
    ].join();
    const total = totals.get(key) ?? {
      day: byDay ? day : null,
      currencyCode,
      status: transaction.status,
      count: 0,
      amountMinor: 0n,
    };
    total.count++;
    total.amountMinor += BigInt(amountMinor);
    totals.set(key, total);
  }
  return [...totals.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, total]) => total);
}
