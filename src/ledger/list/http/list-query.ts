import { FaultList } from '../../../../values/fault-list.ts';
import { MAX_RANGE_DAYS, PAGE_SIZE } from '../../../../values/interface/limits.ts';
import { faultyParameters } from '../../../../values/problem.ts';
import { readParameters } from '../../../../values/query-parameters.ts';
import type { StatusNames } from '../../../../values/status.ts';
import {
  cursorParameter,
  expiredCursor,
  explainPageName,
  MALFORMED_CURSOR,
  pageOf,
} from '../../../http/operations/page.ts';
import type { QueryParameter } from '../../../http/operations/parameters.ts';
import { Type } from '../../../http/schemas/type.ts';
import { type QueryParameters, UNREAD } from '../../../http/server/begin-request.ts';
import type { Archive, ArchiveReader } from '../../archives/archive.ts';
import { ARCHIVED_BEFORE } from '../../http/archived-before.ts';
import { dayParameter, filterParameters } from '../../http/filter-parameters.ts';
import { TransactionSchema } from '../../http/transaction-schemas.ts';
import { positionOf, type Transaction as StoredTransaction } from '../../transaction.ts';
import { type CursorSealer, checkFilterWithCursor, completeFilter, uncarriedReference } from '../cursor.ts';
import type { ListQuery, Position, TransactionLister } from '../list.ts';
import { checkDateRange, type ListFault, type ListFilter, type ListParameter, NO_FILTER } from '../list.ts';

export const LIST_PATH = '/v1/transactions';

export const TransactionPageSchema = pageOf(
  'TransactionPage',
  Type.Ref(TransactionSchema),
  'Newest first.',
  PAGE_SIZE,
  ARCHIVED_BEFORE,
);

export function listParameters(statuses: StatusNames) {
  return {
    ...filterParameters(statuses, {
      referenceNote: ' If it is too long for a cursor, send it together with each cursor.',
    }),
    to: {
      ...dayParameter(
        `Last day of createdAt, inclusive; at most ${MAX_RANGE_DAYS} days after from. Without it, the range has no end.`,
      ),
      furtherCodes: ['date_range_too_long', 'date_range_inverted'],
    },
    cursor: {
      ...cursorParameter(
        'nextCursor of an earlier page. It contains the filters. The same filters can be sent again; others are refused.',
      ),
      furtherCodes: ['cursor_filter_mismatch', 'cursor_expired'],
    },
  } as const satisfies Record<ListParameter, QueryParameter>;
}

export function listQueryReader(statuses: StatusNames, cursors: CursorSealer, cursorLifetimeSeconds: number) {
  const rules = listParameters(statuses);

  return (query: QueryParameters, account: string, nowMs: number, path = LIST_PATH): ListQuery => {
    const faults = new FaultList<ListFault>();
    const { cursor, ...sent } = readParameters(query, rules, explainName, faults);
    const filter: ListFilter = { ...NO_FILTER, ...sent };

    const unread = query[UNREAD];
    if (unread !== undefined) {
      // Some parameters were not read, so a check of the range or the cursor could report a false fault.
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
      // If a merchantReference was sent, `faults` already says what is wrong with it.
      if (query['merchantReference'] === undefined) faults.add(NO_LONG_REFERENCE);
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

export function nextQuery(cursor: string, filter: ListFilter): string {
  const long = uncarriedReference(filter);
  return `?cursor=${cursor}${long === null ? '' : `&merchantReference=${encodeURIComponent(long)}`}`;
}

function explainName(name: string): string | undefined {
  const detail = explainPageName(name, PAGE_SIZE);
  return /^(after|before|start)$/i.test(name) ? `${detail} Days are sent as from and to.` : detail;
}

interface ListPage {
  transactions: StoredTransaction[];
  next: Position | null;
  archive: Pick<Archive, 'beforeMs'> | undefined;
}

export async function listPage(
  store: TransactionLister & ArchiveReader,
  query: ListQuery,
): Promise<ListPage> {
  const { transactions, logPosition, archivedBeforeMs } = await store.listTransactions(query, PAGE_SIZE + 1);
  const archive =
    archivedBeforeMs === undefined
      ? await store.readArchive(query.account)
      : archivedBeforeMs === null
        ? undefined
        : { beforeMs: archivedBeforeMs };
  if (transactions.length <= PAGE_SIZE) return { transactions, next: null, archive };
  transactions.length = PAGE_SIZE;
  return {
    transactions,
    next: {
      ...positionOf(transactions[PAGE_SIZE - 1] as StoredTransaction),
      ...(logPosition !== undefined && { logPosition }),
    },
    archive,
  };
}
