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
import { type Query, UNREAD } from './parse-query.ts';
import { faultyParameters } from './problems/problem.ts';

export const LIST_PATH = '/v1/transactions';

const PAGE_SIZE_NAMES = /^(limit|(page|per)[_-]?(size|page)|size|count|max[_-]?results|top|first|take)$/i;
const PAGE_NUMBER_NAMES =
  /^(page|page[_-]?(number|no)?|offset|skip|start|(starting|ending)[_-]?(after|before)|after|before)$/i;

const CURSOR = new RegExp(CURSOR_FORM);
const isDay = (text: string) => parseDay(text) !== undefined;

/**
 * Reads the query of a list request: each parameter is checked by its rule, then what they mean together.
 *
 * Throws: a Problem that reports all faults at once.
 */
export function listQueryReader(statuses: Statuses, cursors: CursorSealer) {
  const parameters: Record<
    ListParameter,
    { isValid: (value: string) => boolean; fault: (value: string) => Omit<ListFault, 'parameter'> }
  > = {
    status: {
      isValid: (value) => statuses.has(value),
      fault: (value) => ({ code: 'invalid_status', detail: explainStatus(value, statuses) }),
    },
    currency: {
      isValid: isActiveCurrency,
      fault: (value) => ({ code: 'invalid_currency', detail: explainCurrency(value) }),
    },
    from: {
      isValid: isDay,
      fault: (value) => ({ code: 'invalid_date', detail: explainDay(value) }),
    },
    to: {
      isValid: isDay,
      fault: (value) => ({ code: 'invalid_date', detail: explainDay(value) }),
    },
    merchantReference: {
      isValid: isMerchantReference,
      fault: (value) => ({ code: 'invalid_merchant_reference', detail: explainFilterValue(value) }),
    },
    cursor: { isValid: (value) => CURSOR.test(value), fault: () => MALFORMED_CURSOR },
  };

  return (query: Query, account: string, nowMs: number): ListQuery => {
    const faults = new FaultList<ListFault>();
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
          detail: `${name} is given more than once. Give it once.`,
        });
      } else if (!parameters[name].isValid(value)) {
        faults.add({ parameter: name, ...parameters[name].fault(value) });
      } else if (name === 'cursor') {
        cursor = value;
      } else {
        filter[name] = value;
      }
    }

    const unread = query[UNREAD];
    if (unread !== undefined) {
      // The list has fewer parameters than were read, so some are wrong. What the others mean together depends on the unread ones.
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
      // What is wrong with the one that was sent is already in the list.
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

const MALFORMED_CURSOR = {
  code: 'cursor_malformed',
  detail:
    'The cursor is none that this service made for this account. Send nextCursor exactly as it came, or leave cursor out to begin again.',
} as const;

const MISSING_MERCHANT_REFERENCE: ListFault = {
  parameter: 'merchantReference',
  code: 'cursor_filter_mismatch',
  detail:
    'The merchantReference of this list is too long for a cursor to carry. Send it beside the cursor, as the Link header does.',
};

function explainFilterValue(merchantReference: string): string {
  if (merchantReference === '') {
    return 'merchantReference is empty. Write one as it was recorded, or leave it out for all transactions.';
  }
  return `merchantReference ${explainMerchantReference(merchantReference)}.`;
}

function isListParameter(name: string): name is ListParameter {
  return (LIST_PARAMETERS as readonly string[]).includes(name);
}

function explainUnknown(name: string, isNearestSearched: boolean): string {
  if (PAGE_SIZE_NAMES.test(name))
    return `The page size is fixed at ${PAGE_SIZE}: leave ${name} out, and follow nextCursor for more.`;
  if (PAGE_NUMBER_NAMES.test(name))
    return `Pages have no numbers: leave ${name} out, and send nextCursor as cursor.`;
  const meant = isNearestSearched ? nearest(name, LIST_PARAMETERS) : undefined;
  const known = `The parameters are ${LIST_PARAMETERS.join(', ')}.`;
  return `${quote(name)} is not a parameter${meant ? `: did you mean ${meant}?` : '.'} ${known}`;
}

/**
 * The same list from the UTC day of the last transaction seen: it repeats of that day, and loses nothing.
 *
 * A from that stood alone may lie further back than a range may reach. It is left out then: a list that
 * goes on too far is seen, and one that ends too early would pass for the whole.
 */
function resumeFilter({ filter, after }: CursorContent): ListFilter {
  const resumed: ListFilter = { ...filter, to: formatDay(dayOf(after.createdAtMs)) };
  return checkDateRange(resumed) === undefined ? resumed : { ...resumed, from: null };
}

/** The address of the page that a cursor stands for. */
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
  const told =
    `The cursor was valid until ${formatTimestamp(expiresAtMs)}. Go on with GET ${pathOf(resumed)} and skip the ` +
    'transactions that you have already.';
  if (resumed.from === filter.from) return told;
  return (
    `${told} A range may be at most ${MAX_RANGE_DAYS} days long, so from is left out: ` +
    `stop at the first transaction that was created before ${filter.from}.`
  );
}
