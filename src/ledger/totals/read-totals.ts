import { firstDayOf } from '../../values/calendar.ts';
import { UTC } from '../../values/time-zone.ts';
import { changeId } from '../changes/change-id.ts';
import type { DaySum, ListedSummer, Totals, TotalsQuery, TotalsReader } from './totals.ts';
import { readTotalsOfZone } from './totals-of-zone.ts';
import { monthSums } from './totals-sum.ts';
import { type ReadTotalsOptions, readUtcTotals } from './utc-totals.ts';

/**
 * The totals of an account's transactions up to its head sequence.
 *
 * Throws: TooManyForZone; StoreUnavailable if a failover or a restore replaced the history between two reads.
 */
export async function readTotals(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery,
  options: ReadTotalsOptions = {},
): Promise<Totals> {
  const { timeZone, by } = query;
  const { totals, asOf, lastNonce } =
    timeZone === null || timeZone === UTC
      ? await readUtcTotals(reader, query, options)
      : await readTotalsOfZone(reader, { ...query, timeZone }, options);
  const asOfId = lastNonce === null ? null : changeId(query.account, { sequence: asOf, nonce: lastNonce });
  return { totals: by === 'month' ? totalsOfMonths(totals as DaySum[]) : totals, asOf, asOfId };
}

const totalsOfMonths = (days: readonly DaySum[]): DaySum[] =>
  monthSums(days).map(({ month, ...sum }) => ({ ...sum, day: firstDayOf(month) }));
