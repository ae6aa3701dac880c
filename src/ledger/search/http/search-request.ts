import { explainAmount, parseAmount } from '../../../../values/amount.ts';
import { CURSOR_FORM, hasCursorForm } from '../../../../values/cursor-form.ts';
import { FaultList, type ParameterFault } from '../../../../values/fault-list.ts';
import { minSearchedCharacters } from '../../../../values/folded-text.ts';
import type { ErrorCode } from '../../../../values/interface/errors.ts';
import { MAX_FOUND, TEXT_MAX_CHARACTERS, TEXT_MIN_CHARACTERS } from '../../../../values/interface/limits.ts';
import { faultyParameters } from '../../../../values/problem.ts';
import { readParameters } from '../../../../values/query-parameters.ts';
import { quote } from '../../../../values/quote.ts';
import type { StatusNames } from '../../../../values/status.ts';
import { readWrittenAmount } from '../../../../values/written-amount.ts';
import { expiredCursor } from '../../../http/operations/page.ts';
import type { QueryParameter } from '../../../http/operations/parameters.ts';
import { refuseFaulty } from '../../../http/problems/problem.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { QueryParameters } from '../../../http/server/begin-request.ts';
import { addRangeFaults, filterParameters, paidParameters } from '../../http/filter-parameters.ts';
import { FILTER_PARAMETERS, isSameFilter, NO_FILTER, type Position, timeRange } from '../../list/list.ts';
import { isMerchantReference } from '../../transaction.ts';
import { digestOf, type SearchCursorSealer, type SearchQuery, type SearchTerms } from '../search.ts';

type SearchFault = ParameterFault<ErrorCode>;

const SEARCH_TERMS = ['amount', 'amountFrom', 'amountTo', 'text', 'paidFrom', 'paidTo'] as const;

const MALFORMED_SEARCH_CURSOR = {
  code: 'cursor_malformed',
  detail:
    'The cursor was not issued by this service for a search of this account, or was altered. Send nextCursor unchanged, or omit cursor to search from the newest transaction.',
} as const;

const amountParameter = (name: string, description: string): QueryParameter<string> => ({
  schema: Type.String({ description }),
  isValid: (value) => parseAmount(value) !== undefined,
  code: 'invalid_amount',
  furtherCodes: ['amount_range_inverted'],
  explain: (value) => `${name} ${explain(value)}.`,
});

function explain(value: string): string {
  const isWrittenByProgram = /^-?\d+\.\d+$/.test(value);
  const meant = isWrittenByProgram ? [] : readWrittenAmount(value);
  if (/^\s*[<>]|\d\s*(-|\.\.|to)\s*\d/i.test(value))
    return `${quote(value)} is a range; send its ends as amountFrom and amountTo`;
  return meant.length === 0
    ? explainAmount(value)
    : `${quote(value)} is not an amount of the interface; send ${meant.join(' or ')}`;
}

const length = (text: string) => Array.from(text).length;

const hasLength = (text: string) =>
  length(text) >= minSearchedCharacters(text) && length(text) <= TEXT_MAX_CHARACTERS;

function explainText(text: string): string {
  const right = `Send ${minSearchedCharacters(text)} to ${TEXT_MAX_CHARACTERS} characters of a reference or a detail.`;
  const characters = length(text);
  if (hasLength(text)) return `text has a character that no reference can contain. ${right}`;
  return `text has ${characters} character${characters === 1 ? '' : 's'}. ${right}`;
}

export function searchParameters(statuses: StatusNames) {
  return {
    ...filterParameters(statuses),
    amount: amountParameter('amount', 'The exact amount, for example 49.90. Refunds have negative amounts.'),
    amountFrom: amountParameter('amountFrom', 'The smallest amount, inclusive.'),
    amountTo: amountParameter('amountTo', 'The largest amount, inclusive.'),
    text: {
      schema: Type.String({
        minLength: TEXT_MIN_CHARACTERS,
        maxLength: TEXT_MAX_CHARACTERS,
        description:
          'One phrase: a part of the reference, the merchantReference or one value of details, in upper or lower case, with or without accents. At least 3 characters, or 2 of Chinese, Japanese or Korean.',
        examples: ['1042'],
      }),
      isValid: (value: string) => hasLength(value) && isMerchantReference(value),
      code: 'invalid_text',
      explain: explainText,
    },
    ...paidParameters,
    cursor: {
      schema: Type.String({
        pattern: CURSOR_FORM,
        description:
          'nextCursor of an earlier response. It contains the other parameters. If they are too long for a cursor, send them again with it.',
      }),
      isValid: (value: string) => hasCursorForm(value),
      code: MALFORMED_SEARCH_CURSOR.code,
      furtherCodes: ['cursor_filter_mismatch', 'cursor_expired'],
      explain: () => MALFORMED_SEARCH_CURSOR.detail,
    },
  } as const satisfies Record<string, QueryParameter>;
}

type SentParameters = Partial<Record<Exclude<keyof ReturnType<typeof searchParameters>, 'cursor'>, string>>;

/** `sent` has the parameters as they were sent, because cursors contain them. */
interface SearchRequest {
  query: SearchQuery;
  sent: SentParameters;
}

export function searchRequestReader(
  statuses: StatusNames,
  cursors: SearchCursorSealer,
  cursorLifetimeSeconds: number,
) {
  const declared = searchParameters(statuses);

  return (
    query: QueryParameters,
    account: string,
    nowMs: number,
    pathOf: (query: string) => string,
  ): SearchRequest => {
    const faults = new FaultList<SearchFault>();
    const { cursor, ...sent } = readParameters(query, declared, explainName, faults);
    addContradictions(faults, sent);
    if (query['cursor'] === undefined) {
      // A misspelt parameter, which is a fault already, may be the search term.
      if (faults.count === 0 && !SEARCH_TERMS.some((name) => query[name] !== undefined)) faults.add(NO_TERM);
      refuseFaulty(query, faults);
      return { query: searchQuery(account, sent, null), sent };
    }
    refuseFaulty(query, faults);
    const opened = cursor === undefined ? undefined : cursors.open(account, cursor);
    if (opened === undefined) {
      faults.add({ parameter: 'cursor', ...MALFORMED_SEARCH_CURSOR });
      throw faultyParameters(faults);
    }
    const carried = typeof opened.sent === 'string' ? sent : opened.sent;
    if (typeof opened.sent === 'string' && digestOf(sent) !== opened.sent) {
      faults.add(NOT_REPEATED);
      throw faultyParameters(faults);
    }
    for (const fault of mismatches(sent, carried)) faults.add(fault);
    let resume: string | undefined;
    if (nowMs >= opened.expiresAtMs) {
      const expiresAtMs = nowMs + cursorLifetimeSeconds * 1000;
      resume = pathOf(cursors.seal(account, { ...opened, sent: carried, expiresAtMs }).query);
      faults.add({ parameter: 'cursor', ...expiredCursor(opened.expiresAtMs, expiresAtMs) });
    }
    if (faults.count > 0) throw faultyParameters(faults, resume);
    return { query: searchQuery(account, carried, opened.after), sent: carried };
  };
}

const NO_TERM: SearchFault = {
  parameter: 'text',
  code: 'missing_search_term',
  detail: `A search needs at least one of ${SEARCH_TERMS.join(', ')}. To list transactions without one, request /v1/transactions.`,
};

const NOT_REPEATED: SearchFault = {
  parameter: 'cursor',
  code: 'cursor_filter_mismatch',
  detail:
    'The parameters of this search are too long for its cursor. Send all of them unchanged together with the cursor, as in the Link header.',
};

function addContradictions(faults: FaultList<SearchFault>, sent: SentParameters): void {
  addRangeFaults(faults, sent);
  const { amountFrom, amountTo } = sent;
  if ((minorOf(amountFrom) ?? Number.NEGATIVE_INFINITY) > (minorOf(amountTo) ?? Number.POSITIVE_INFINITY))
    faults.add({
      parameter: 'amountFrom',
      code: 'amount_range_inverted',
      detail: `amountFrom (${amountFrom}) is greater than amountTo (${amountTo}). Send the smaller amount as amountFrom.`,
    });
}

function mismatches(sent: SentParameters, carried: SentParameters): SearchFault[] {
  const names = Object.keys(sent) as (keyof SentParameters)[];
  return names
    .filter((name) => !isSameSent(name, sent[name], carried[name]))
    .map((parameter) => ({
      parameter,
      code: 'cursor_filter_mismatch',
      detail: `The cursor belongs to a search with${carried[parameter] === undefined ? 'out' : ' another'} ${parameter}. Send the cursor alone, or omit it to start a new search.`,
    }));
}

const isSameSent = (name: keyof SentParameters, sent: string | undefined, carried: string | undefined) =>
  sent === undefined || isSameFilter(name, sent, carried ?? null);

const minorOf = (amount: string | undefined) =>
  amount === undefined ? null : (parseAmount(amount) as number);

function searchQuery(account: string, sent: SentParameters, after: Position | null): SearchQuery {
  const filter = { ...NO_FILTER };
  for (const name of FILTER_PARAMETERS) filter[name] = sent[name] ?? null;
  return {
    account,
    filter,
    terms: termsOf(sent, filter.timeZone),
    after,
  };
}

function termsOf(
  { amount, amountFrom, amountTo, text, paidFrom, paidTo }: SentParameters,
  timeZone: string | null,
): SearchTerms {
  const least = [minorOf(amount), minorOf(amountFrom)].filter((minor) => minor !== null);
  const greatest = [minorOf(amount), minorOf(amountTo)].filter((minor) => minor !== null);
  const paid = timeRange({ from: paidFrom ?? null, to: paidTo ?? null, timeZone });
  return {
    amountFromMinor: least.length === 0 ? null : Math.max(...least),
    amountToMinor: greatest.length === 0 ? null : Math.min(...greatest),
    paidFromMs: paid.fromMs,
    paidBeforeMs: paid.beforeMs,
    text: text ?? null,
  };
}

const PAGE_NAMES = /^(limit|page|offset|skip|size|count|after|before|page[_-]?\w+|per[_-]?page)$/i;
const TEXT_NAMES = /^(q|query|search|term|reference|contains|like)$/i;

function explainName(name: string): string | undefined {
  if (PAGE_NAMES.test(name))
    return `A response has at most ${MAX_FOUND} transactions: omit ${name}, and send nextCursor as cursor for more.`;
  if (TEXT_NAMES.test(name))
    return `Omit ${name}, and send a part of the reference, the merchantReference or a value of details as text.`;
  return undefined;
}
