import { sealCursor, unsealCursor } from '../cursor.ts';
import { DEFAULTS, FILTER_NAMES, matcher, readFilter } from '../filter.ts';
import { type Fault, Problem, refuse } from '../problem.ts';
import { readQuery } from '../query.ts';
import type { Answer, Call } from '../service.ts';
import { addDays, formatTime, parseDay } from '../times.ts';
import {
  type Position,
  parseAmount,
  showTransaction,
  type Transaction,
  withClockOf,
} from '../transaction.ts';
import { refuseInverted } from './export-transactions.ts';

const MAX_FOUND = 100;
/** How many transactions a request compares. */
const MAX_COMPARED = 500;
const TERMS = ['amount', 'amountFrom', 'amountTo', 'text', 'paidFrom', 'paidTo'] as const;

type Terms = Partial<Record<(typeof TERMS)[number], string>>;
type Contents = { given: Record<string, string>; position: Position; expiresAtMs: number };

/** `GET /v1/search` */
export function searchTransactions({ service, account, query }: Call): Answer {
  const { values, faults } = readQuery(query, [...FILTER_NAMES, ...TERMS, 'cursor']);
  const cursor = values.get('cursor');
  values.delete('cursor');
  const owner = `search of ${account}`;
  const opened =
    cursor === undefined ? undefined : unsealCursor<Contents>(service.cursorSecret, owner, cursor);
  faults.push(...(cursor === undefined ? [] : cursorFaults(opened, values)));
  const expiresAtMs = service.now() + service.cursorLifetimeMs;
  const isExpired = opened !== undefined && opened.expiresAtMs <= service.now();
  if (isExpired)
    faults.push({ parameter: 'cursor', code: 'cursor_expired', detail: 'The cursor has expired' });
  const resume = () =>
    `${service.basePath}/v1/search?cursor=${sealCursor(service.cursorSecret, owner, { ...opened, expiresAtMs })}`;
  const given = opened?.given ?? Object.fromEntries(values);
  const filter = readFilter(new Map(Object.entries(given)), service.statuses, faults);
  faults.push(...refuseInverted(filter), ...termFaults(given));
  refuse(faults, isExpired ? { resume: resume() } : {});
  const terms: Terms = given;
  if (!TERMS.some((name) => terms[name] !== undefined))
    throw new Problem('missing_search_term', `A search needs one of ${TERMS.join(', ')}`);

  const matchesFilter = matcher(filter);
  const found: Transaction[] = [];
  let last: Transaction | undefined;
  let compared = 0;
  let isEnd = true;
  for (const transaction of service.ledger(account).after(opened?.position)) {
    if (found.length === MAX_FOUND || compared === MAX_COMPARED) {
      isEnd = false;
      break;
    }
    compared++;
    last = transaction;
    if (matchesFilter(transaction) && matchesTerms(withClockOf(filter.timeZone, transaction), terms))
      found.push(transaction);
  }
  const data = found.map(showTransaction);
  if (isEnd || last === undefined)
    return {
      status: 200,
      body: { data, searchedBackTo: '0001-01-01T00:00:00.000Z', nextCursor: null, hasMore: false },
    };
  const { createdAtMs, reference } = last;
  const contents: Contents = { given, position: { createdAtMs, reference }, expiresAtMs };
  const nextCursor = sealCursor(service.cursorSecret, owner, contents);
  const headers = {
    Link: `<${service.basePath}/v1/search?cursor=${nextCursor}>; rel="next"`,
    'Cursor-Expires': formatTime(expiresAtMs),
  };
  return {
    status: 200,
    body: { data, searchedBackTo: formatTime(createdAtMs), nextCursor, hasMore: true },
    headers,
  };
}

function cursorFaults(opened: Contents | undefined, values: Map<string, string>): Fault[] {
  if (opened === undefined)
    return [{ parameter: 'cursor', code: 'cursor_malformed', detail: 'The cursor was not issued to you' }];
  const given: Record<string, string> = { ...DEFAULTS, ...opened.given };
  return [...values]
    .filter(([name, value]) => given[name] !== value)
    .map(([parameter]) => ({
      parameter,
      code: 'cursor_filter_mismatch',
      detail: `${parameter} differs in the search of the cursor`,
    }));
}

function termFaults({ amount, amountFrom, amountTo, text, paidFrom, paidTo }: Terms): Fault[] {
  const faults: Fault[] = [];
  for (const [parameter, value] of Object.entries({ amount, amountFrom, amountTo }))
    if (value !== undefined && parseAmount(value) === undefined)
      faults.push({ parameter, code: 'invalid_amount', detail: `${parameter} is not a decimal number` });
  for (const [parameter, value] of Object.entries({ paidFrom, paidTo }))
    if (value !== undefined && parseDay(value) === undefined)
      faults.push({ parameter, code: 'invalid_date', detail: `${parameter} is not a day` });
  const length = Array.from(text ?? 'none').length;
  if (length < 3 || length > 64)
    faults.push({ parameter: 'text', code: 'invalid_text', detail: 'text has 3 to 64 characters' });
  const [least, greatest] = [parseAmount(amountFrom ?? ''), parseAmount(amountTo ?? '')];
  if (least !== undefined && greatest !== undefined && least > greatest)
    faults.push({ parameter: 'amountFrom', code: 'amount_range_inverted', detail: 'it is above amountTo' });
  if ((parseDay(paidFrom ?? '') ?? 0) > (parseDay(paidTo ?? '') ?? Infinity))
    faults.push({ parameter: 'paidFrom', code: 'date_range_inverted', detail: 'it is after paidTo' });
  return faults;
}

function matchesTerms(transaction: Transaction, terms: Terms): boolean {
  const { amount, amountFrom, amountTo, text, paidFrom, paidTo } = terms;
  const { amountMinor, paidAtMs } = transaction;
  const minor = (term: string | undefined) => (term === undefined ? amountMinor : parseAmount(term)) ?? 0n;
  if (minor(amount) !== amountMinor) return false;
  if (amountMinor < minor(amountFrom) || amountMinor > minor(amountTo)) return false;
  if (paidFrom !== undefined && (paidAtMs ?? -Infinity) < (parseDay(paidFrom) ?? 0)) return false;
  if (paidTo !== undefined && (paidAtMs ?? Infinity) >= addDays(parseDay(paidTo) ?? 0, 1)) return false;
  const texts = [transaction.reference, transaction.merchantReference ?? ''];
  return text === undefined || texts.some((one) => one.toLowerCase().includes(text.toLowerCase()));
}
