import type { QueryParameter } from '../../../http/operations/query.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { StatusNames } from '../../../values/status.ts';
import { dayParameter, filterParameters, merchantReferenceParameter } from '../../http/filter-parameters.ts';
import { Transaction } from '../../http/transaction-schemas.ts';
import { CURSOR_FORM, CURSOR_MAX_CHARACTERS } from '../cursor.ts';
import { type ListFault, type ListParameter, MAX_RANGE_DAYS } from '../list-filter.ts';
import { PAGE_SIZE } from '../list-transactions.ts';

export const TransactionPage = Type.Object(
  {
    data: Type.Array(Type.Ref(Transaction), { description: 'Newest first.', maxItems: PAGE_SIZE }),
    nextCursor: Type.Nullable({
      description: 'Opaque. Send it as cursor to get the next page. Null on the last page.',
      pattern: CURSOR_FORM,
    }),
    hasMore: Type.Boolean({ description: 'Whether there is another page.' }),
  },
  { $id: 'TransactionPage', title: 'TransactionPage' },
);

const CURSOR = new RegExp(CURSOR_FORM);

export const MALFORMED_CURSOR = {
  code: 'cursor_malformed',
  detail:
    'The cursor was not issued by this service for this account, or was altered. Send nextCursor unchanged, or omit cursor to start from the first page.',
} as const;

/** The parameters of a list request. */
export function listParameters(statuses: StatusNames) {
  return {
    ...filterParameters(statuses),
    to: dayParameter(
      `Last UTC day of createdAt, inclusive; at most ${MAX_RANGE_DAYS} days after from. Without it, the range has no end.`,
    ),
    merchantReference: merchantReferenceParameter(
      'Only transactions with exactly this merchantReference. If it is too long for a cursor, send it together with ' +
        'each cursor, as the Link header does.',
    ),
    cursor: {
      schema: Type.String({
        pattern: CURSOR_FORM,
        maxLength: CURSOR_MAX_CHARACTERS,
        description:
          'nextCursor of an earlier page. It contains the filters. The same filters can be sent again; others are refused.',
      }),
      isValid: (value: string) => CURSOR.test(value),
      fault: () => MALFORMED_CURSOR,
    },
  } as const satisfies Record<ListParameter, QueryParameter<ListFault['code']>>;
}
