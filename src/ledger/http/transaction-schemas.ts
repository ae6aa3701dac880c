import { type Schema, Type } from '../../http/schemas/type.ts';
import type { Transaction as CoreTransaction } from '../transaction.ts';
import { FIELD_LIST, formatTransaction } from '../transaction-fields.ts';

export type TransactionBody = ReturnType<typeof formatTransaction>;

export const Transaction: Schema<TransactionBody> = Type.Object(
  Object.fromEntries(
    FIELD_LIST.flatMap(({ name, response, example, absent }) => {
      const schemaOf = absent === 'null' ? Type.Nullable : Type.String;
      return response === undefined ? [] : [[name, schemaOf({ ...response, examples: [example] })]];
    }),
  ) as { [Field in keyof TransactionBody]: Schema<TransactionBody[Field]> },
  { $id: 'Transaction', title: 'Transaction' },
);

/** A transaction as the body of a response. */
export const transactionBody: (transaction: CoreTransaction) => TransactionBody = formatTransaction;
