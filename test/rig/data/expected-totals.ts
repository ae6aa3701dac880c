import type { Change } from '../../../src/ledger/changes/change.ts';
import type { TimeRange } from '../../../src/ledger/list/list-filter.ts';
import type { Total, TotalsQuery } from '../../../src/ledger/totals/totals.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { dayOf } from '../../model/calendar.ts';

const DAY_MS = 86_400_000;
const dayText = (day: number) => new Date(day * DAY_MS).toISOString();

/** Totals as of a number, change by change: slow, and obviously correct. `changes` are all of the account. */
export function expectedTotals(
  changes: readonly Change[],
  asOf: number,
  { status, currency, merchantReference, fromDay, toDay, timeZone, paid, by }: TotalsQuery,
): Total[] {
  const statuses = new Map<string, Change>();
  for (const change of changes)
    if (change.sequence <= asOf) statuses.set(change.transaction.reference, change);
  const totals = new Map<string, Total>();
  for (const { transaction } of statuses.values()) {
    const { currencyCode, amountMinor } = transaction;
    const day = Date.parse(dayOf(transaction.createdAtMs, timeZone)) / DAY_MS;
    if (status !== null && transaction.status !== status) continue;
    if (currency !== null && currencyCode !== currency) continue;
    if (merchantReference !== null && transaction.merchantReference !== merchantReference) continue;
    if ((fromDay !== null && day < fromDay) || (toDay !== null && day > toDay)) continue;
    const { paidAtMs } = transaction;
    if (paid !== null && (paidAtMs === null || !isPaidIn(paidAtMs, paid))) continue;
    const splitDay = paid === null ? day : Date.parse(dayOf(paidAtMs as number, timeZone)) / DAY_MS;
    const period = by === 'month' ? Date.parse(`${dayText(splitDay).slice(0, 7)}-01`) / DAY_MS : splitDay;
    const key = [
      by !== null ? String(period + 1_000_000).padStart(8, '0') : '',
      currencyCode,
      transaction.status,
    ].join();
    const total = totals.get(key) ?? {
      day: by === null ? null : period,
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

const isPaidIn = (paidAtMs: number, { fromMs, beforeMs }: TimeRange) =>
  paidAtMs >= (fromMs ?? paidAtMs) && paidAtMs < (beforeMs ?? Number.POSITIVE_INFINITY);

const nameOf = ({ currencyCode, status }: Pick<Total, 'currencyCode' | 'status'>) =>
  `${currencyCode} ${status}`;

/** The totals of rows, in the order of their names. */
export function totalsOf(rows: readonly AccountTransaction[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { currencyCode, status, amountMinor } of rows) {
    const name = nameOf({ currencyCode, status });
    const total = totals.get(name) ?? { day: null, currencyCode, status, count: 0, amountMinor: 0n };
    totals.set(name, {
      ...total,
      count: total.count + 1,
      amountMinor: total.amountMinor + BigInt(amountMinor),
    });
  }
  return sorted([...totals.values()]);
}

export const sorted = (totals: readonly Total[]) =>
  totals.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
