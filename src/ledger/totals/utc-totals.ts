import { type RunLong, runToTheEnd } from '../../values/long-read.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { storedRanges } from './stored-ranges.ts';
import { type DaySum, MAX_SUMMED, type Total, type TotalsQuery, type TotalsReader } from './totals.ts';
import { areListed, TotalsSum } from './totals-sum.ts';

export interface ReadTotalsOptions {
  /** Runs adding the changes up if there are more than MAX_SUMMED. Reading ends with the reason of its signal. */
  runLong?: RunLong;
  /** Is notified of the number of changes that had to be added to the stored totals. */
  onTotalsBehind?: (account: string, changes: number) => void;
}

/** Totals with the nonce of the last change that they count; null if there is none. */
export interface CountedTotals {
  totals: Total[];
  asOf: number;
  lastNonce: number | null;
}

/**
 * The totals of UTC days up to the head sequence: the stored ones, and the changes after them. By month, each day has totals of its own, too.
 *
 * Each read is short, also without stored totals: a change never changes, so they need no common snapshot.
 *
 * Throws: StoreUnavailable if a failover or a restore replaced the history between two reads.
 */
export async function readUtcTotals(
  reader: TotalsReader,
  query: TotalsQuery,
  { runLong = runToTheEnd, onTotalsBehind }: ReadTotalsOptions = {},
): Promise<CountedTotals> {
  const { account, status, currency } = query;
  const byDay = query.by !== null;
  const storedTotals = await reader.readStoredTotals({
    account,
    status,
    currency,
    byDay,
    ...storedRanges(query),
  });
  const { totalsSequence, headSequence, lastNonce } = storedTotals;
  const asOf = lastNumber(storedTotals);
  // Adding up the totals of many days, and sorting them, would take longer than reading them.
  if (headSequence <= totalsSequence && areListed(storedTotals.totals))
    return { totals: storedTotals.totals, asOf, lastNonce };
  const sum = new TotalsSum();
  for (const total of storedTotals.totals) sum.add(total);
  const behind = headSequence - totalsSequence;
  if (behind > 0) onTotalsBehind?.(account, behind);
  const addChanges = async (gone?: AbortSignal) => {
    for (let after = totalsSequence; after < headSequence; after += MAX_SUMMED) {
      gone?.throwIfAborted();
      const upTo = Math.min(after + MAX_SUMMED, headSequence);
      const changes = await reader.sumChanges(account, after, upTo);
      if (upTo === headSequence && changes.lastNonce !== lastNonce)
        throw new StoreUnavailable('history_replaced');
      for (const change of changes.sums)
        if (isQueried(change, query)) sum.add(byDay ? change : { ...change, day: null });
    }
  };
  await (behind > MAX_SUMMED ? runLong(addChanges) : addChanges());
  return { totals: sum.list(), asOf, lastNonce };
}

function isQueried(sum: DaySum, { status, currency, fromDay, toDay }: TotalsQuery): boolean {
  return (
    (status === null || sum.status === status) &&
    (currency === null || sum.currencyCode === currency) &&
    (fromDay === null || sum.day >= fromDay) &&
    (toDay === null || sum.day <= toDay)
  );
}

/** The numbers of an account's stored totals and of its head, without any total. */
export const readNumbers = (reader: Pick<TotalsReader, 'readStoredTotals'>, account: string) =>
  reader.readStoredTotals({ account, status: null, currency: null, byDay: false, days: [], months: [] });

/** The number of an account's last change, and the change's nonce. */
export async function readLastNumber(
  reader: Pick<TotalsReader, 'readStoredTotals'>,
  account: string,
): Promise<{ asOf: number; lastNonce: number | null }> {
  const stored = await readNumbers(reader, account);
  return { asOf: lastNumber(stored), lastNonce: stored.lastNonce };
}

/** A head that is lost, for example in a restore, is lower than the number of the stored totals until the next recording. */
const lastNumber = ({ totalsSequence, headSequence }: { totalsSequence: number; headSequence: number }) =>
  Math.max(totalsSequence, headSequence);
