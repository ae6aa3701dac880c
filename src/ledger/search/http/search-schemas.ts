import { TIMESTAMP_FORM } from '../../../../values/calendar.ts';
import { CURSOR_FORM } from '../../../../values/cursor-form.ts';
import { MAX_FOUND } from '../../../../values/interface/limits.ts';
import { Type } from '../../../http/schemas/type.ts';
import { ARCHIVED_BEFORE } from '../../http/archived-before.ts';
import { TransactionSchema } from '../../http/transaction-schemas.ts';

export const SearchPageSchema = Type.Object(
  {
    data: Type.Array(Type.Ref(TransactionSchema), {
      description: 'Newest first. It can be empty although hasMore is true.',
      maxItems: MAX_FOUND,
    }),
    searchedBackTo: Type.String({
      description:
        'The time back to which the search is complete: every matching transaction that was created after it is in the responses so far.',
      format: 'date-time',
      pattern: TIMESTAMP_FORM,
      examples: ['2026-03-19T09:30:00.000Z'],
    }),
    nextCursor: Type.Nullable({
      description: 'Opaque. Send it as cursor to continue the search. Null at its end.',
      pattern: CURSOR_FORM,
    }),
    hasMore: Type.Boolean({ description: 'Whether older transactions have not been compared yet.' }),
    ...ARCHIVED_BEFORE,
  },
  { $id: 'SearchPage', title: 'SearchPage' },
);
