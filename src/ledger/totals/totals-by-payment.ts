import { rangeOfDays, type TimeRange } from '../list/list-filter.ts';
import { type ReadTotalsOptions, sumAllListed } from './sum-listed.ts';
import type { CountedTotals, ListedSummer, Totals, TotalsQuery, TotalsReader } from './totals.ts';
import { readLastNumber, requireSameHistory } from './utc-totals.ts';

/** The most transactions that totals and exports by days of paidAt compare: no index has them. Adding them up takes some seconds. */
export const MAX_COMPARED_BY_PAYMENT = 2_000_000;

/** Totals or an export by days of paidAt would have to compare too many transactions. */
export class TooManyToCompare extends Error {
  override readonly name = 'TooManyToCompare';
  readonly transactions: number;

  constructor(transactions: number) {
    super(`${transactions} transactions`);
    this.transactions = transactions;
  }
}

/** Throws: TooManyToCompare if the totals count too many transactions. */
export function refuseTooMany({ totals }: Pick<Totals, 'totals'>): void {
  const transactions = totals.reduce((sum, { count }) => sum + count, 0);
  if (transactions > MAX_COMPARED_BY_PAYMENT) throw new TooManyToCompare(transactions);
}

/**
 * The totals of what was paid on some days, up to the head sequence: summed from the rows of the range of createdAt, whose number
 * the caller has checked.
 *
 * Throws: StoreUnavailable if a failover or a restore replaced the history between two reads.
 */
export async function readTotalsByPayment(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery & { paid: TimeRange },
  options: ReadTotalsOptions,
): Promise<CountedTotals> {
  const { account, status, currency, merchantReference, paid } = query;
  const { asOf, lastNonce } = await readLastNumber(reader, account);
  const filter = { status, currency, merchantReference };
  const totals = await sumAllListed(
    reader,
    { account, filter, range: rangeOfDays(query), paid, asOf },
    options,
  );
  await requireSameHistory(reader, account, { asOf, lastNonce });
  return { totals, asOf, lastNonce };
}
