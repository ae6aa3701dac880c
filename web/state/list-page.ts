import { isLong } from '../text/date-range.ts';
import { dayIn } from '../text/time.ts';
import type { Api, Transaction, TransactionPage } from './api.ts';
import { type Filter, type FilterQuery, isByPayment, queryOf } from './route.ts';

/**
 * A page of a list. The service has no list of more than 90 days that has both ends: for a longer one, the page leaves the first day out
 * of the query, and ends the list at that day.
 */
export async function loadListPage(
  api: Api,
  filter: Filter,
  zone: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<TransactionPage> {
  if (isByPayment(filter)) return searchPage(api, queryOf(filter, zone), cursor, signal);
  const { from, ...open } = filter;
  const isCut = isLong(from, filter.to);
  const query = { ...queryOf(isCut ? open : filter, zone), ...(cursor !== null && { cursor }) };
  const page = await api.page(query, signal);
  if (!isCut) return page;
  const data = page.data.filter(({ createdAt }) => dayIn(zone, Date.parse(createdAt)) >= (from as string));
  return data.length === page.data.length ? page : { data, nextCursor: null, hasMore: false };
}

/** A list has as many rows, at least. */
const MIN_ROWS = 10;

/** The service has no list by day of payment: its search finds up to 100 of a page, after requests that can find none. */
async function searchPage(
  api: Api,
  query: FilterQuery,
  cursor: string | null,
  signal: AbortSignal,
): Promise<TransactionPage> {
  const data: Transaction[] = [];
  let next: string | null = cursor;
  do {
    const page = await api.search(next === null ? query : { cursor: next }, signal);
    data.push(...page.data);
    next = page.nextCursor;
  } while (next !== null && data.length < MIN_ROWS);
  return { data, nextCursor: next, hasMore: next !== null };
}
