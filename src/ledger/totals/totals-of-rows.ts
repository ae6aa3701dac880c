import type { OwnIndexedFilter } from '../../../values/interface/filters.ts';
import { faultyParameter } from '../../../values/problem.ts';
import { equalityOf, rangeOfDays } from '../list/list.ts';
import { readLastNumber, requireSameHistory, sumAllListed } from './reads.ts';
import type {
  CountedTotals,
  ListedSum,
  ListedSummer,
  ReadTotalsOptions,
  TotalsQuery,
  TotalsReader,
} from './total.ts';

export const MAX_SUMMED_ROWS = 10_000;

/** Throws: a Problem if there are too many transactions; StoreUnavailable if the history was replaced. */
export async function readTotalsOfRows(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery,
  own: OwnIndexedFilter,
  options: ReadTotalsOptions,
): Promise<CountedTotals> {
  const { account, status, currency, paid } = query;
  const last = await readLastNumber(reader, account);
  // Selects every status and currency, so that `rows` below counts all rows that are read.
  const filter = { ...equalityOf(query), status: null, currency: null };
  const listed = { account, filter, range: rangeOfDays(query), asOf: last.asOf };
  let rows = 0;
  const onRead = ({ totals: read }: ListedSum) => {
    for (const { count } of read) rows += count;
    if (rows > MAX_SUMMED_ROWS)
      throw faultyParameter({
        parameter: own,
        code: 'date_range_too_long',
        detail:
          `More than ${MAX_SUMMED_ROWS} transactions in the range have this ${own}, and they are summed one by one. ` +
          'Send a shorter range, or export the transactions.',
      });
  };
  const all = await sumAllListed(reader, { ...listed, paid: null }, { ...options, onRead });
  const totals = paid === null ? all : await sumAllListed(reader, { ...listed, paid }, options);
  await requireSameHistory(reader, account, last);
  const isQueried = (total: { status: string; currencyCode: string }) =>
    (status === null || total.status === status) && (currency === null || total.currencyCode === currency);
  return { ...last, totals: totals.filter(isQueried) };
}
