import { isLong } from '../text/date-range.ts';
import { dayIn } from '../text/time.ts';
import type { Api, TransactionPage } from './api.ts';
import { type Filter, queryOf } from './route.ts';

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
  const { from, ...open } = filter;
  const isCut = isLong(from, filter.to);
  const query = { ...queryOf(isCut ? open : filter, zone), ...(cursor !== null && { cursor }) };
  const page = await api.page(query, signal);
  if (!isCut) return page;
  const data = page.data.filter(({ createdAt }) => dayIn(zone, Date.parse(createdAt)) >= (from as string));
  return data.length === page.data.length ? page : { data, nextCursor: null, hasMore: false };
}
