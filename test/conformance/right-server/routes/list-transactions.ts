import { type CursorContents, lengthen, sealCursor, shorten, unsealCursor } from '../cursor.ts';
import { checkRange, DEFAULTS, FILTER_NAMES, type Filter, matcher, readFilter } from '../filter.ts';
import { type Fault, refuse } from '../problem.ts';
import { readQuery } from '../query.ts';
import type { Answer, Call, Service } from '../service.ts';
import { formatTime } from '../times.ts';
import { showTransaction, type Transaction } from '../transaction.ts';

const PAGE_SIZE = 10;

/** `GET /v1/transactions` */
export function listTransactions({ service, account, query }: Call): Answer {
  const { filter, position } = readListQuery(service, account, query);
  const matches = matcher(filter);
  const found: Transaction[] = [];
  for (const transaction of service.ledger(account).after(position)) {
    if (matches(transaction)) found.push(transaction);
    // One more than a page shows whether there is another page.
    if (found.length > PAGE_SIZE) break;
  }
  const page = found.slice(0, PAGE_SIZE);
  const data = page.map(showTransaction);
  const last = page.at(-1);
  const hasMore = found.length > page.length;
  if (!hasMore || last === undefined)
    return { status: 200, body: { data, nextCursor: null, hasMore: false } };
  const { createdAtMs, reference } = last;
  const expiresAtMs = service.now() + service.cursorLifetimeMs;
  const contents = {
    filter: shorten(filter, service.texts),
    position: { createdAtMs, reference },
    expiresAtMs,
  };
  const nextCursor = sealCursor(service.cursorSecret, account, contents);
  const headers = {
    Link: `<${service.basePath}/v1/transactions?cursor=${nextCursor}>; rel="next"`,
    'Cursor-Expires': formatTime(expiresAtMs),
  };
  return { status: 200, body: { data, nextCursor, hasMore }, headers };
}

/** Checks everything before it refuses anything, so that all faults are reported at once. */
function readListQuery(service: Service, account: string, query: string) {
  const { values, faults } = readQuery(query, [...FILTER_NAMES, 'cursor']);
  const given = readFilter(values, service.statuses, faults);
  faults.push(...checkRange(given));
  const cursor = values.get('cursor');
  if (cursor === undefined) {
    refuse(faults);
    return { filter: given, position: undefined };
  }
  const contents = unsealCursor(service.cursorSecret, account, cursor);
  if (contents === undefined) {
    faults.push({
      parameter: 'cursor',
      code: 'cursor_malformed',
      detail: 'The cursor was not issued to you',
    });
    refuse(faults);
    throw new Error('A malformed cursor is refused');
  }
  const { position, expiresAtMs } = contents;
  const filter = lengthen(contents.filter, service.texts);
  const isExpired = expiresAtMs <= service.now();
  if (isExpired) faults.push(explainExpiry(expiresAtMs));
  faults.push(...findMismatches(filter, given));
  refuse(faults, isExpired ? { resume: resumePath(service, account, contents) } : {});
  return { filter, position };
}

/** The filters of a cursor may be repeated beside it; others would be another query. */
function findMismatches(contained: Filter, given: Filter): Fault[] {
  const filter = { ...DEFAULTS, ...contained };
  return FILTER_NAMES.filter((name) => given[name] !== undefined && given[name] !== filter[name]).map(
    (name) => ({
      parameter: name,
      code: 'cursor_filter_mismatch',
      detail: `${name} is ${filter[name] ?? 'not a filter'} in the query of the cursor`,
    }),
  );
}

function explainExpiry(expiresAtMs: CursorContents['expiresAtMs']): Fault {
  const detail = `The cursor expired at ${formatTime(expiresAtMs)}: continue with the request in resume`;
  return { parameter: 'cursor', code: 'cursor_expired', detail };
}

/** The request that continues the list: the contents of the expired cursor, sealed with a later expiry. */
function resumePath(service: Service, account: string, contents: CursorContents): string {
  const expiresAtMs = service.now() + service.cursorLifetimeMs;
  const cursor = sealCursor(service.cursorSecret, account, { ...contents, expiresAtMs });
  return `${service.basePath}/v1/transactions?cursor=${cursor}`;
}
