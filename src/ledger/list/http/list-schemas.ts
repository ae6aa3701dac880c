import type { StatusNames } from '../../../../values/status.ts';
import { cursorParameter, pageOf } from '../../../http/operations/page.ts';
import type { QueryParameter } from '../../../http/operations/query.ts';
import { Type } from '../../../http/schemas/type.ts';
import { ARCHIVED_BEFORE } from '../../http/archived-before.ts';
import { dayParameter, filterParameters } from '../../http/filter-parameters.ts';
import { Transaction } from '../../http/transaction-schemas.ts';
import { type ListFault, type ListParameter, MAX_RANGE_DAYS } from '../list-filter.ts';
import { PAGE_SIZE } from '../list-transactions.ts';

export const TransactionPage = pageOf(
  'TransactionPage',
  Type.Ref(Transaction),
  'Newest first.',
  PAGE_SIZE,
  ARCHIVED_BEFORE,
);

/** The parameters of a list request. */
export function listParameters(statuses: StatusNames) {
  return {
    ...filterParameters(statuses, {
      referenceNote: ' If it is too long for a cursor, send it together with each cursor.',
    }),
    to: dayParameter(
      `Last day of createdAt, inclusive; at most ${MAX_RANGE_DAYS} days after from. Without it, the range has no end.`,
    ),
    cursor: cursorParameter(
      'nextCursor of an earlier page. It contains the filters. The same filters can be sent again; others are refused.',
    ),
  } as const satisfies Record<ListParameter, QueryParameter<ListFault['code']>>;
}
