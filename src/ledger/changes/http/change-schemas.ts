import { TIMESTAMP_FORM } from '../../../../values/calendar.ts';
import { MAX_ITEMS } from '../../../../values/interface/limits.ts';
import { pageOf } from '../../../http/operations/page.ts';
import { type Static, Type } from '../../../http/schemas/type.ts';
import { TransactionSchema } from '../../http/transaction-schemas.ts';

export const ChangeSchema = Type.Object(
  {
    sequence: Type.Integer({
      minimum: 1,
      description:
        'The number of the change within the account: 1, 2, 3 and so on, without a gap, in the order in which changes became visible.',
      examples: [7],
    }),
    id: Type.String({
      description:
        'Identifies the change: the same wherever and however often the change is read, and the webhook-id of its deliveries. A change that is recorded ' +
        'again after the database was restored has another id.',
      maxLength: 40,
      examples: ['chg_Zt7vJ2mXq0YtR5cQe1WbKd'],
    }),
    type: Type.String({
      description:
        '"transaction." and the status that the transaction took. Each type comes at most once for a transaction. Accept types that you do not know.',
      pattern: '^transaction\\.',
      examples: ['transaction.completed'],
    }),
    previousStatus: Type.Nullable({
      description: 'The status before the change; null if the transaction is new.',
      examples: ['pending'],
    }),
    recordedAt: Type.String({
      description:
        'When the change was recorded, UTC with milliseconds, by the clock of the service. Clocks differ: only sequence gives the order.',
      format: 'date-time',
      pattern: TIMESTAMP_FORM,
      examples: ['2026-03-31T09:30:06.120Z'],
    }),
    transaction: Type.Ref(TransactionSchema),
  },
  {
    $id: 'Change',
    title: 'Change',
    description: 'A transaction that was recorded, or that took another status, as it was right after that.',
  },
);
export type ChangeBody = Static<typeof ChangeSchema>;

export const ChangePageSchema = Type.Object(
  {
    data: Type.Array(Type.Ref(ChangeSchema), {
      description: 'Oldest first. The first number is after + 1, and each number follows the one before.',
      maxItems: MAX_ITEMS,
    }),
    lastSequence: Type.Integer({
      minimum: 0,
      description:
        'The number of the last change in data, or after if data is empty. Send it as after to continue.',
    }),
    lastId: Type.Nullable({
      description:
        'The id of the change lastSequence; null if that is 0. Send it as afterId to continue: then a restored database is noticed.',
      examples: ['chg_Zt7vJ2mXq0YtR5cQe1WbKd'],
    }),
    headSequence: Type.Integer({
      minimum: 0,
      description: 'The number of the last change of the account when the page was read; 0 if it has none.',
    }),
    hasMore: Type.Boolean({ description: 'Whether there are changes after lastSequence.' }),
  },
  { $id: 'ChangePage', title: 'ChangePage' },
);
export type ChangePageBody = Static<typeof ChangePageSchema>;

export const CHANGES_OF_PAGE = 10;

export const TransactionChangesSchema = pageOf(
  'TransactionChanges',
  Type.Ref(ChangeSchema),
  'Oldest first.',
  CHANGES_OF_PAGE,
);
