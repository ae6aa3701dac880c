import { dayOf, explainDay, formatDay, formatTimestamp, parseDay } from '../core/calendar.ts';
import { explainCurrency, isActiveCurrency } from '../core/currency.ts';
import { FaultList, MAX_SUGGESTIONS } from '../core/fault-list.ts';
import { checkFilterWithCursor, completeFilter, isCarriedWhole } from '../core/list/carried-filter.ts';
import { CURSOR_FORM, type CursorContent, type CursorSealer } from '../core/list/cursor.ts';
import {
  checkDateRange,
  FILTER_PARAMETERS,
  LIST_PARAMETERS,
  type ListFault,
  type ListFilter,
  type ListParameter,
  MAX_RANGE_DAYS,
  NO_FILTER,
} from '../core/list/list-filter.ts';
import type { ListQuery } from '../core/list/list-query.ts';
import { PAGE_SIZE } from '../core/list/list-transactions.ts';
import { nearest } from '../core/nearest.ts';
import { quote } from '../core/quote.ts';
import { explainStatus, type Statuses } from '../core/status.ts';
import { explainMerchantReference, isMerchantReference } from '../core/transaction.ts';
import { type QueryParameters, UNREAD } from './parse-query.ts';
import { faultyParameters } from './problems/problem.ts';

export const LIST_PATH = '/v1/transactions';

const PAGE_SIZE_NAMES = /^(limit|(page|per)[_-]?(size|page)|size|count|max[_-]?results|top|first|take)$/i;
const PAGE_NUMBER_NAMES =
  /^(page|page[_-]?(number|no)?|offset|skip|start|(starting|ending)[_-]?(after|before)|after|before)$/i;

const CURSOR = new RegExp(CURSOR_FORM);

interface ParameterRule {
  isValid: (value: string) => boolean;
  /** The fault of a value that is not valid. */
  fault: (value: string) => Omit<ListFault, 'parameter'>;
}

function parameterRules(statuses: Statuses): Record<ListParameter, ParameterRule> {
  const day: ParameterRule = {
    isValid: (value) => parseDay(value) !== undefined,
    fault: (value) => ({ code: 'invalid_date', detail: explainDay(value) }),
  };
  return {
    status: {
      isValid: (value) => statuses.has(value),
      fault: (value) => ({ code: 'invalid_status', detail: explainStatus(value, statuses) }),
    },
    currency: {
      isValid: isActiveCurrency,
      fault: (value) => ({ code: 'invalid_currency', detail: explainCurrency(value) }),
    },
    from: day,
    to: day,
    merchantReference: {
      isValid: isMerchantReference,
      fault: (value) => ({ code: 'invalid_merchant_reference', detail: explainFilterValue(value) }),
    },
    cursor: { isValid: (value) => CURSOR.test(value), fault: () => MALFORMED_CURSOR },
  };
}

/**
 * Returns a function that makes a ListQuery of the parameters of a list request.
 *
 * Throws: a Problem with all faults.
 */
export function listQueryReader(statuses: Statuses, cursors: CursorSealer) {
  const rules = parameterRules(statuses);

  return (query: QueryParameters, account: string, nowMs: number): ListQuery => {
    const faults = new FaultList<ListFault>();
    const { filter, cursor } = readParameters(query, rules, faults);

    const unread = query[UNREAD];
    if (unread !== undefined) {
      // A list has fewer parameters than were read, so some are faulty. The range and the cursor could depend on unread ones.
      faults.countUnlisted(unread);
      throw faultyParameters(faults);
    }

    const rangeFault = checkDateRange(filter);
    if (rangeFault !== undefined) faults.add(rangeFault);

    const opened = cursor === undefined ? undefined : cursors.open(account, cursor, nowMs);
    if (opened === undefined) {
      if (faults.count > 0) throw faultyParameters(faults);
      return { account, filter, after: null };
    }
    if (opened.outcome === 'malformed') {
      faults.add({ parameter: 'cursor', ...MALFORMED_CURSOR });
      throw faultyParameters(faults);
    }

    for (const fault of checkFilterWithCursor(filter, opened.content.filter)) faults.add(fault);
    const carried = completeFilter(opened.content.filter, filter);
    if (carried === undefined) {
      // If the caller sent a faulty merchantReference, its fault is already in the list.
      const wasSent = query['merchantReference'] !== undefined;
      if (!wasSent || faults.count === 0) faults.add(MISSING_MERCHANT_REFERENCE);
      throw faultyParameters(faults);
    }
    const content = { ...opened.content, filter: carried };
    let resume: string | undefined;
    if (opened.outcome === 'expired') {
      const resumed = resumeFilter(content);
      resume = pathOf(resumed);
      faults.add({ parameter: 'cursor', code: 'cursor_expired', detail: explainExpired(content, resumed) });
    }

    if (faults.count > 0) throw faultyParameters(faults, resume);
    return { account, filter: carried, after: content.after };
  };
}

/** The filter and the cursor of a request. Each parameter is checked on its own, and its fault added to `faults`. */
function readParameters(
  query: QueryParameters,
  rules: Record<ListParameter, ParameterRule>,
  faults: FaultList<ListFault>,
): { filter: ListFilter; cursor: string | undefined } {
  const filter: ListFilter = { ...NO_FILTER };
  let cursor: string | undefined;
  for (const name in query) {
    const value = query[name] as string | string[];
    if (!isListParameter(name)) {
      const detail = explainUnknown(name, faults.count < MAX_SUGGESTIONS);
      faults.add({ parameter: name, code: 'unknown_parameter', detail });
    } else if (typeof value !== 'string') {
      faults.add({
        parameter: name,
        code: 'duplicate_parameter',
        detail: `${name} is sent more than once. Send it once.`,
      });
    } else if (!rules[name].isValid(value)) {
      faults.add({ parameter: name, ...rules[name].fault(value) });
    } else if (name === 'cursor') {
      cursor = value;
    } else {
      filter[name] = value;
    }
  }
  return { filter, cursor };
}

const MALFORMED_CURSOR = {
  code: 'cursor_malformed',
  detail:
    'The cursor was not issued by this service for this account, or was altered. Send nextCursor unchanged, or omit cursor to start from the first page.',
} as const;

const MISSING_MERCHANT_REFERENCE: ListFault = {
  parameter: 'merchantReference',
  code: 'cursor_filter_mismatch',
  detail:
    'The merchantReference of this list is too long for a cursor. Send it together with the cursor, as in the Link header.',
};

function explainFilterValue(merchantReference: string): string {
  if (merchantReference === '') {
    return 'merchantReference is empty. Send one as it was recorded, or omit it to list all transactions.';
  }
  return `merchantReference ${explainMerchantReference(merchantReference)}.`;
}

function isListParameter(name: string): name is ListParameter {
  return (LIST_PARAMETERS as readonly string[]).includes(name);
}

function explainUnknown(name: string, isNearestSearched: boolean): string {
  if (PAGE_SIZE_NAMES.test(name))
    return `The page size is fixed at ${PAGE_SIZE}: omit ${name}, and follow nextCursor for more.`;
  if (PAGE_NUMBER_NAMES.test(name))
    return `Pages have no numbers: omit ${name}, and send nextCursor as cursor.`;
  const meant = isNearestSearched ? nearest(name, LIST_PARAMETERS) : undefined;
  const known = `The parameters are ${LIST_PARAMETERS.join(', ')}.`;
  return `${quote(name)} is not a parameter${meant ? `: did you mean ${meant}?` : '.'} ${known}`;
}

/**
 * The same list from the UTC day of the last transaction seen. It repeats transactions of that day and misses none.
 *
 * A `from` without `to` can be further back than the longest range. It is left out then: the caller notices a list that
 * is too long, but not one that ends too early.
 */
function resumeFilter({ filter, after }: CursorContent): ListFilter {
  const resumed: ListFilter = { ...filter, to: formatDay(dayOf(after.createdAtMs)) };
  return checkDateRange(resumed) === undefined ? resumed : { ...resumed, from: null };
}

/** The path and query of the next page. */
export function nextPath(cursor: string, { merchantReference }: ListFilter): string {
  const path = `${LIST_PATH}?cursor=${cursor}`;
  if (merchantReference === null || isCarriedWhole(merchantReference)) return path;
  return `${path}&merchantReference=${encodeURIComponent(merchantReference)}`;
}

function pathOf(filter: ListFilter): string {
  const query = new URLSearchParams();
  for (const parameter of FILTER_PARAMETERS) {
    const value = filter[parameter];
    if (value !== null) query.set(parameter, value);
  }
  return `${LIST_PATH}?${query}`;
}

function explainExpired({ expiresAtMs, filter }: CursorContent, resumed: ListFilter): string {
  const detail =
    `The cursor expired at ${formatTimestamp(expiresAtMs)}. Continue with GET ${pathOf(resumed)} and skip the ` +
    'transactions that you already have.';
  if (resumed.from === filter.from) return detail;
  return (
    `${detail} A range is at most ${MAX_RANGE_DAYS} days long, so from is omitted: ` +
    `stop at the first transaction that was created before ${filter.from}.`
  );
}
