import { CursorExpiredError } from '../../client/src/errors.ts';
import { isLong } from '../text/date-range.ts';
import { dayIn } from '../text/time.ts';
import type { Api, Transaction, TransactionPage } from './api.ts';
import { isNewer } from './news-of-page.ts';
import { type Filter, isByPayment, queryOf } from './route.ts';

type ReadPage = (
  cursor: string | null,
) => Promise<Pick<TransactionPage, 'data' | 'nextCursor' | 'archivedBefore'>>;

/** No cursor and no reference of the service contains this separator. */
const AFTER = '~';

/** If a response has more rows than fit, the next page repeats the request, and skips the shown rows. */
export async function loadListPage(
  api: Api,
  filter: Filter,
  zone: string,
  { cursor, rows }: { cursor: string | null; rows: number },
  signal: AbortSignal,
): Promise<TransactionPage> {
  const read = (isByPayment(filter) ? paidPages : listPages)(api, filter, zone, signal);
  const [first = '', createdAt, reference = ''] = (cursor ?? '').split(AFTER);
  const data: Transaction[] = [];
  for (let begin = first || null; ; ) {
    const page = await read(begin).catch((error: unknown) => {
      if (!(error instanceof CursorExpiredError) || error.cursor === null) throw error;
      begin = error.cursor;
      return read(begin);
    });
    const found = page.data.filter(
      (row) => createdAt === undefined || isNewer({ createdAt, reference }, row),
    );
    data.push(...found.slice(0, rows - data.length));
    const last = data.at(-1);
    const isCut = last !== undefined && found.length > 0 && found.at(-1) !== last;
    const next = isCut ? [begin ?? '', last.createdAt, last.reference].join(AFTER) : page.nextCursor;
    if (data.length === rows || next === null)
      return { ...page, data, nextCursor: next, hasMore: next !== null };
    begin = next;
  }
}

function paidPages(api: Api, filter: Filter, zone: string, signal: AbortSignal): ReadPage {
  const query = queryOf(filter, zone);
  // Each request sends all filters, because the service leaves long filters out of the cursor.
  return (cursor) => api.search({ ...query, ...(cursor !== null && { cursor }) }, signal);
}

/** The service refuses a long range with `from`. So `from` is not sent, and this drops earlier rows. */
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
