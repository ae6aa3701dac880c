import type { Change } from '../../../src/ledger/changes/change.ts';
import type { Total, TotalsQuery } from '../../../src/ledger/totals/total.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { dayOf } from '../../model/calendar.ts';
import { addUp } from '../../model/totals.ts';
import { EVERYTHING, matches } from '../../model/transactions.ts';
import { isPaidIn } from './expected-list.ts';

const DAY_MS = 86_400_000;

export function expectedTotals(
  changes: readonly Change[],
  asOf: number,
  { fromDay, toDay, timeZone, paid, by, ...filter }: TotalsQuery,
): Total[] {
  const latest = new Map<string, Change['transaction']>();
  for (const { sequence, transaction } of changes)
    if (sequence <= asOf) latest.set(transaction.reference, transaction);
  const matching = [...latest.values()].filter((row) => {
    const day = Date.parse(dayOf(row.createdAtMs, timeZone)) / DAY_MS;
    return (
      matches({ ...EVERYTHING, ...filter }, row) &&
      (fromDay === null || day >= fromDay) &&
      (toDay === null || day <= toDay) &&
      isPaidIn(row, paid)
    );
  });
  const sums = addUp(matching, ({ createdAtMs, paidAtMs }) => {
    const day = dayOf(paid === null ? createdAtMs : (paidAtMs as number), timeZone);
    return by === null ? '' : by === 'month' ? `${day.slice(0, 7)}-01` : day;
  });
  return sums.map(({ period, hundredths, ...sum }) => ({
    ...sum,
    day: by === null ? null : Date.parse(period) / DAY_MS,
    amountMinor: hundredths,
  }));
}

export const totalsOf = (rows: readonly AccountTransaction[]): Total[] =>
  addUp(rows, () => '').map(({ period: _, hundredths, ...sum }) => ({
    ...sum,
    day: null,
    amountMinor: hundredths,
  }));

const nameOf = ({ currencyCode, status }: Total) => `${currencyCode} ${status}`;

export const sorted = (totals: readonly Total[]) =>
  totals.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
