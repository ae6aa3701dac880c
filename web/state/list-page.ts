import { CursorExpiredError } from '../../client/src/errors.ts';
import { isLong } from '../text/date-range.ts';
import { dayIn } from '../text/time.ts';
import type { Api, Transaction, TransactionPage } from './api.ts';
import { type Filter, type FilterQuery, isByPayment, queryOf } from './route.ts';

type ReadPage = (
  cursor: string | null,
) => Promise<Pick<TransactionPage, 'data' | 'nextCursor' | 'archivedBefore'>>;

export async function loadListPage(
  api: Api,
  filter: Filter,
  zone: string,
  { cursor, rows }: { cursor: string | null; rows: number },
  signal: AbortSignal,
): Promise<TransactionPage> {
  if (isByPayment(filter)) return paidPage(api, queryOf(filter, zone), { cursor, rows }, signal);
  const read = listPages(api, filter, zone, signal);
  const data: Transaction[] = [];
  let page: Awaited<ReturnType<ReadPage>> = { data, nextCursor: cursor };
  do {
    page = await read(page.nextCursor);
    data.push(...page.data);
  } while (page.nextCursor !== null && data.length < rows);
  return { ...page, data, hasMore: page.nextCursor !== null };
}

/**
 * The service refuses a long range with two ends. So the page leaves out `from` and itself stops at that day.
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

/** No cursor and no reference of the service contains this separator. */
const AFTER = '~';
/**
 * New recordings push the previous page's last row back. At most this many rows are searched for that row.
 */
const MAX_PASSED = 1000;

/** The next cursor has the page's last reference, so that new recordings move no row to another page. */
async function paidPage(
  api: Api,
  query: FilterQuery,
  { cursor, rows }: { cursor: string | null; rows: number },
  signal: AbortSignal,
): Promise<TransactionPage> {
  const data: Transaction[] = [];
  const [first = '', last] = (cursor ?? '').split(AFTER);
  let [begin, after, passed] = [first, last, 0];
  // The cursor has no room for a long reference, so each request also sends the filters.
  const search = () => api.search({ ...query, ...(begin !== '' && { cursor: begin }) }, signal);
  for (;;) {
    const page = await search().catch((error: unknown) => {
      // The fresh cursor starts before the previous page's last row, so this loop looks for that row again.
      if (!(error instanceof CursorExpiredError) || error.cursor === null) throw error;
      begin = error.cursor;
      return search();
    });
    const at = page.data.findIndex(({ reference }) => reference === after);
    const found = after === undefined ? page.data : at === -1 ? [] : page.data.slice(at + 1);
    data.push(...found.slice(0, rows - data.length));
    const end = data.at(-1)?.reference;
    const isCut = found.length > 0 && found.at(-1)?.reference !== end;
    const next = isCut ? begin + AFTER + end : page.nextCursor;
    passed += page.data.length;
    // If the last row of the previous page was removed, the page starts at `first` again. Rows may repeat,
    // but none is lost.
    if (after !== undefined && at === -1 && (next === null || passed > MAX_PASSED))
      return paidPage(api, query, { cursor: first || null, rows }, signal);
    if (data.length === rows || next === null) return { data, nextCursor: next, hasMore: next !== null };
    if (at !== -1) after = undefined;
    begin = next;
  }
}
