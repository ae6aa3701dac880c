import type { Details } from '../../../../values/detail-name.ts';
import type { ColumnField, WholeField } from '../../../../values/interface/fields.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { type Schema, type Static, Type } from '../../../http/schemas/type.ts';
import { detailsSchema } from '../../http/transaction-schemas.ts';
import { FIELD_LIST } from '../../transaction-fields.ts';

const transactionFields = Object.fromEntries(
  FIELD_LIST.flatMap(({ name, request, example, absent, read }): [string, Schema][] => {
    if (request === undefined) return [];
    const keywords = { ...request, examples: [example] };
    if (absent !== 'null') return [[name, Type.String(keywords)]];
    const schema = read === undefined ? Type.Nullable(keywords) : detailsSchema(keywords, ['object', 'null']);
    return [[name, Type.Optional(schema as Schema)]];
  }),
) as Readonly<Record<Exclude<WholeField, 'reference'> | ColumnField, Schema<string | null>>> & {
  readonly details: Schema<Details | null>;
};

const { reference: _, ...EXAMPLE_FIELDS } = EXAMPLES.transaction.completed.value;

export const TransactionRequestSchema = Type.Object(transactionFields, {
  $id: 'TransactionRequest',
  title: 'TransactionRequest',
  examples: [EXAMPLE_FIELDS],
});

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
