import type { RowReader } from '../../db/postgres/driver/index.ts';
import { objectOfReads } from '../../values/row-functions.ts';
import type { Transaction } from '../transaction.ts';
import { FIELD_LIST } from '../transaction-fields.ts';

const [, ...FIELDS] = FIELD_LIST;

/** Reads the values of TRANSACTION_COLUMNS, in their order. */
export const readTransactionRow = objectOfReads<RowReader, Transaction>(
  FIELDS.map(({ property, column, absent }) => {
    if (absent !== 'null') return [property, column];
    return [property, column === 'integer' ? 'integerOrNull' : 'textOrNull'];
  }),
);

/** Reads the row of a join that can have no transaction: then every value is null. */
export const readTransactionOrNulls = objectOfReads<
  RowReader,
  { [Field in keyof Transaction]: Transaction[Field] | null }
>(FIELDS.map(({ property, column }) => [property, column === 'integer' ? 'integerOrNull' : 'textOrNull']));
