import { FaultList } from '../../../../values/fault-list.ts';
import { readParameters } from '../../../../values/query-parameters.ts';
import type { StatusNames } from '../../../../values/status.ts';
import { expiredCursor, explainPageName, MALFORMED_CURSOR } from '../../../http/operations/page.ts';
import { type QueryParameters, UNREAD } from '../../../http/parse-query.ts';
import { faultyParameters } from '../../../http/problems/problem.ts';
import { checkFilterWithCursor, completeFilter, uncarriedReference } from '../carried-filter.ts';
import type { CursorSealer } from '../cursor.ts';
import { checkDateRange, type ListFault, type ListFilter, NO_FILTER } from '../list-filter.ts';
import type { ListQuery } from '../list-query.ts';
import { PAGE_SIZE } from '../list-transactions.ts';
import { listParameters } from './list-schemas.ts';

export const LIST_PATH = '/v1/transactions';

/**
 * Returns a function that makes a ListQuery of the parameters of a list request to a path.
 *
 * Throws: a Problem with all faults.
 */
export function listQueryReader(statuses: StatusNames, cursors: CursorSealer, cursorLifetimeSeconds: number) {
  const rules = listParameters(statuses);

  return (query: QueryParameters, account: string, nowMs: number, path = LIST_PATH): ListQuery => {
    const faults = new FaultList<ListFault>();
    const { cursor, ...sent } = readParameters(query, rules, explainName, faults);
    const filter: ListFilter = { ...NO_FILTER, ...sent };

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
      if (!wasSent || faults.count === 0) faults.add(NO_LONG_REFERENCE);
      throw faultyParameters(faults);
    }
    const { after, expiresAtMs } = opened.content;
    let resume: string | undefined;
    if (opened.outcome === 'expired') {
      const freshExpiresAtMs = nowMs + cursorLifetimeSeconds * 1000;
      const fresh = cursors.seal(account, { filter: carried, after, expiresAtMs: freshExpiresAtMs });
      resume = path + nextQuery(fresh, carried);
      faults.add({ parameter: 'cursor', ...expiredCursor(expiresAtMs, freshExpiresAtMs) });
    }

    if (faults.count > 0) throw faultyParameters(faults, resume);
    return { account, filter: carried, after };
  };
}

const NO_LONG_REFERENCE: ListFault = {
  parameter: 'merchantReference',
  code: 'cursor_filter_mismatch',
  detail:
    'The merchantReference of this list is too long for a cursor. Send it together with the cursor, as in the Link header.',
};

/** The query of the next page. */
export function nextQuery(cursor: string, filter: ListFilter): string {
  const long = uncarriedReference(filter);
  return `?cursor=${cursor}${long === null ? '' : `&merchantReference=${encodeURIComponent(long)}`}`;
}

/** What to do instead of sending a page size, a page number, or a day by a name that other interfaces also give to a place. */
function explainName(name: string): string | undefined {
  const detail = explainPageName(name, PAGE_SIZE);
  return /^(after|before|start)$/i.test(name) ? `${detail} Days are sent as from and to.` : detail;
}
