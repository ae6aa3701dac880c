import { Type } from '../../../http/schemas/type.ts';
import type { StatusNames } from '../../../values/status.ts';
import { dayParameter, filterParameters } from '../../http/filter-parameters.ts';
import { Transaction } from '../../http/transaction-schemas.ts';
import { MERCHANT_REFERENCE_MAX_CHARACTERS } from '../../transaction.ts';
import { CURSOR_FORM, CURSOR_MAX_CHARACTERS } from '../cursor.ts';
import { MAX_RANGE_DAYS } from '../list-filter.ts';
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
  { $id: 'TransactionPage', title: 'TransactionPage', additionalProperties: false },
);

/** The query parameters of a list request. */
export function listTransactionsQuery(statuses: StatusNames) {
  return Type.Object(
    {
      ...filterParameters(statuses),
      to: Type.Optional(
        dayParameter(
          `Last UTC day of createdAt, inclusive; at most ${MAX_RANGE_DAYS} days after from. Without it, the range has no end.`,
        ),
      ),
      merchantReference: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MERCHANT_REFERENCE_MAX_CHARACTERS,
          description:
            'Only transactions with exactly this merchantReference. If it is too long for a cursor, send it together with ' +
            'each cursor, as the Link header does.',
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          pattern: CURSOR_FORM,
          maxLength: CURSOR_MAX_CHARACTERS,
          description:
            'nextCursor of an earlier page. It contains the filters. The same filters can be sent again; others are refused.',
        }),
      ),
    },
    { additionalProperties: false },
  );
}
