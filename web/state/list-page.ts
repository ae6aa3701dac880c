import { isLong } from '../text/date-range.ts';
import { dayIn } from '../text/time.ts';
import type { Api, Transaction, TransactionPage } from './api.ts';
import { type Filter, type FilterQuery, isByPayment, queryOf } from './route.ts';

type ReadPage = (cursor: string | null) => Promise<Pick<TransactionPage, 'data' | 'nextCursor'>>;

/** A page of a list with some rows, or a few more, from as many requests as that takes. */
export async function loadListPage(
  api: Api,
  filter: Filter,
  zone: string,
  { cursor, rows }: { cursor: string | null; rows: number },
  signal: AbortSignal,
): Promise<TransactionPage> {
  const read = isByPayment(filter)
    ? searchPages(api, queryOf(filter, zone), signal)
    : listPages(api, filter, zone, signal);
  const data: Transaction[] = [];
  let next = cursor;
  do {
    const page = await read(next);
    data.push(...page.data);
    next = page.nextCursor;
  } while (next !== null && data.length < rows);
  return { data, nextCursor: next, hasMore: next !== null };
}

/**
 * The service has no list of more than 90 days that has both ends: for a longer one, the page leaves the first day out of the query, and
 * ends the list at that day.
 */
function listPages(api: Api, filter: Filter, zone: string, signal: AbortSignal): ReadPage {
  const { from, ...open } = filter;
  const isCut = isLong(from, filter.to);
  const query = queryOf(isCut ? open : filter, zone);
  return async (cursor) => {
    const page = await api.page({ ...query, ...(cursor !== null && { cursor }) }, signal);
    if (!isCut) return page;
    const data = page.data.filter(({ createdAt }) => dayIn(zone, Date.parse(createdAt)) >= (from as string));
    return data.length === page.data.length ? page : { data, nextCursor: null };
  };
}

/** The service has no list by day of payment: its search finds up to 100 with a request, or none and where to go on. */
const searchPages =
  (api: Api, query: FilterQuery, signal: AbortSignal): ReadPage =>
  (cursor) =>
    api.search(cursor === null ? query : { cursor }, signal);
