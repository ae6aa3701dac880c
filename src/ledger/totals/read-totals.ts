import { UTC } from '../../values/time-zone.ts';
import { changeId } from '../changes/change-id.ts';
import type { ListedSummer, Totals, TotalsQuery, TotalsReader } from './totals.ts';
import { readTotalsOfZone } from './totals-of-zone.ts';
import { type ReadTotalsOptions, readUtcTotals } from './utc-totals.ts';

/**
 * The totals of an account's transactions as of its head sequence.
 *
 * Throws: TooManyForZone; StoreUnavailable if a failover or a restore replaced the history between two reads.
 */
export async function readTotals(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery,
  options: ReadTotalsOptions = {},
): Promise<Totals> {
  const { timeZone } = query;
  const { totals, asOf, lastNonce } =
    timeZone === null || timeZone === UTC
      ? await readUtcTotals(reader, query, options)
      : await readTotalsOfZone(reader, { ...query, timeZone }, options);
  const asOfId = lastNonce === null ? null : changeId(query.account, { sequence: asOf, nonce: lastNonce });
  return { totals, asOf, asOfId };
}
