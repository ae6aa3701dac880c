import type { Details } from '../../../../values/detail-name.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { type Schema, Type } from '../../../http/schemas/type.ts';
import { detailsSchema } from '../../http/transaction-schemas.ts';
import { FIELD_LIST, type ShownField } from '../../transaction-fields.ts';

/** A transaction as the operator sends it. `parse-transaction.ts` checks it. */
export const transactionFields = Object.fromEntries(
  FIELD_LIST.flatMap(({ name, request, example, absent, read }): [string, Schema][] => {
    if (request === undefined) return [];
    const keywords = { ...request, examples: [example] };
    if (absent !== 'null') return [[name, Type.String(keywords)]];
    const schema = read === undefined ? Type.Nullable(keywords) : detailsSchema(keywords, ['object', 'null']);
    return [[name, Type.Optional(schema as Schema)]];
  }),
) as Readonly<Record<Exclude<ShownField, 'reference'>, Schema<string | null>>> & {
  readonly relatedTo: Schema<string | null>;
  readonly details: Schema<Details | null>;
};

const { reference: _, ...EXAMPLE_FIELDS } = EXAMPLES.transaction.completed.value;

export const TransactionRequest = Type.Object(transactionFields, {
  $id: 'TransactionRequest',
  title: 'TransactionRequest',
  examples: [EXAMPLE_FIELDS],
});
