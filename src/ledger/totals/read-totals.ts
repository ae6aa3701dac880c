import { firstDayOf, monthOf } from '../../../values/days.ts';
import { UTC } from '../../../values/time-zone.ts';
import { changeId } from '../changes/change.ts';
import { NO_FILTER, ownIndexedFilterOf } from '../list/list.ts';
import type { ReadTotalsOptions } from './sum-listed.ts';
import type {
  CountedTotals,
  DaySum,
  ListedSummer,
  Total,
  Totals,
  TotalsQuery,
  TotalsReader,
} from './totals.ts';
import { TotalsSum } from './totals.ts';
import { readTotalsByPayment, refuseTooMany } from './totals-by-payment.ts';
import { readTotalsOfRows } from './totals-of-rows.ts';
import { readTotalsOfZone } from './totals-of-zone.ts';
import { readUtcTotals } from './utc-totals.ts';

/**
 * The totals of an account's transactions up to its head sequence.
 *
 * Throws: a Problem if that would read too much; StoreUnavailable if a failover or a restore
 * replaced the history between two reads.
 */
export async function readTotals(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery,
  options: ReadTotalsOptions = {},
): Promise<Totals> {
  const { by } = query;
  const { totals, asOf, lastNonce } = await readCounted(reader, query, options);
  const asOfId = lastNonce === null ? null : changeId(query.account, { sequence: asOf, nonce: lastNonce });
  return { totals: by === 'month' ? totalsOfMonths(totals as DaySum[]) : totals, asOf, asOfId };
}

async function readCounted(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery,
  options: ReadTotalsOptions,
): Promise<CountedTotals> {
  const { timeZone, paid } = query;
  const own = ownIndexedFilterOf(query);
  if (own !== undefined) return readTotalsOfRows(reader, query, own, options);
  if (paid !== null) {
    const all = { ...query, ...NO_FILTER, timeZone, paid: null, by: null };
    refuseTooMany(await readCounted(reader, all, options), 'Totals by days of paidAt compare');
    return readTotalsByPayment(reader, { ...query, paid }, options);
  }
  return timeZone === null || timeZone === UTC
    ? readUtcTotals(reader, query)
    : readTotalsOfZone(reader, { ...query, timeZone }, options);
}

/** True if several steps read the totals: what is archived between them can be in some and not in others. */
export const isReadInSteps = ({ timeZone, paid, ...filter }: TotalsQuery): boolean =>
  ownIndexedFilterOf(filter) !== undefined || paid !== null || (timeZone !== null && timeZone !== UTC);

function totalsOfMonths(days: readonly DaySum[]): Total[] {
  const sum = new TotalsSum();
  for (const total of days) sum.add({ ...total, day: firstDayOf(monthOf(total.day)) });
  return sum.list();
}
