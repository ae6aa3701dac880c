import { COMPLETED_EXAMPLE } from '../reference/examples/transactions.ts';
import { transactionFields } from './record-transaction.ts';
import { type Static, Type } from './type.ts';

/** A line of a batch. */
export const BatchLine = Type.Object(
  {
    account: Type.String({ description: 'Whose transaction it is.' }),
    reference: Type.String({ description: 'Unique in the account.' }),
    ...transactionFields,
  },
  {
    $id: 'BatchLine',
    title: 'BatchLine',
    examples: [{ account: 'store-1', ...COMPLETED_EXAMPLE }],
  },
);

export const BatchResult = Type.Object(
  {
    line: Type.Integer({ description: 'The line of the stream, counted from 1.' }),
    outcome: Type.Enum(['recorded', 'changed', 'unchanged', 'conflict', 'invalid', 'unavailable', 'failed'], {
      description:
        'Send a line that is unavailable again. One that failed fails again: the log has the cause.',
    }),
    errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }))),
    differences: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String(),
          recorded: Type.Nullable({}),
          given: Type.Nullable({}),
        }),
      ),
    ),
  },
  { $id: 'BatchResult', title: 'BatchResult', additionalProperties: false },
);
export type BatchResult = Static<typeof BatchResult>;
