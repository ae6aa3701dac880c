import { EXAMPLES } from '../../../http/examples.ts';
import { type Static, Type } from '../../../http/schemas/type.ts';
import { transactionFields } from './record-transaction.ts';

export const BatchLineSchema = Type.Object(
  {
    account: Type.String({ description: 'The account of the transaction.' }),
    reference: Type.String({ description: 'Unique in the account.' }),
    ...transactionFields,
  },
  {
    $id: 'BatchLine',
    title: 'BatchLine',
    examples: [{ account: 'store-1', ...EXAMPLES.transaction.completed.value }],
  },
);

export const BatchResultSchema = Type.Object(
  {
    line: Type.Integer({ description: 'The line number in the stream, counted from 1.' }),
    outcome: Type.OpenEnum(
      ['recorded', 'changed', 'unchanged', 'conflict', 'invalid', 'unavailable', 'failed'],
      'unavailable: send the line again. failed: the line would fail again, and the log has the cause.',
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'The field of the line. Empty for the whole line.' }),
          code: Type.String({
            description:
              'As in errors of a Problem; for a whole line also invalid_line, invalid_api_key and unlisted_faults.',
          }),
          detail: Type.String(),
        }),
      ),
    ),
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
  { $id: 'BatchResult', title: 'BatchResult' },
);
export type BatchResultBody = Static<typeof BatchResultSchema>;
