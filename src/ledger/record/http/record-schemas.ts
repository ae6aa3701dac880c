import { type Schema, Type } from '../../../http/schemas/type.ts';
import { COMPLETED_EXAMPLE } from '../../http/transaction-examples.ts';
import { FIELD_LIST, type ShownField } from '../../transaction-fields.ts';

/** A transaction as the operator sends it. `parse-transaction.ts` checks it. */
export const transactionFields = Object.fromEntries(
  FIELD_LIST.flatMap(({ name, request, example, absent }) => {
    if (request === undefined) return [];
    const keywords = { ...request, examples: [example] };
    return [[name, absent === 'null' ? Type.Optional(Type.Nullable(keywords)) : Type.String(keywords)]];
  }),
) as Readonly<Record<Exclude<ShownField, 'reference'>, Schema<string | null>>>;

const { reference: _, ...EXAMPLE_FIELDS } = COMPLETED_EXAMPLE;

export const TransactionRequest = Type.Object(transactionFields, {
  $id: 'TransactionRequest',
  title: 'TransactionRequest',
  examples: [EXAMPLE_FIELDS],
});
