import { objectOfValues, valuesOfObject } from '../values/row-functions.ts';
import type { Change } from './changes/change.ts';
import { changesOf, NUMBER_PROPERTIES, type TransactionNumbers } from './changes/numbered-changes.ts';
import type { AccountTransaction, Transaction } from './transaction.ts';
import { FIELD_LIST } from './transaction-fields.ts';

export type ColumnValue = string | number | null;

/** The column of merchantReference is merchant_reference, and so on. */
export const columnOf = (property: string) =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const PROPERTIES = FIELD_LIST.map(({ property }) => property);

/** The columns of a recorded transaction. The account is the first. */
export const RECORDED_COLUMNS: readonly string[] = PROPERTIES.map(columnOf);

/** Their types, in their order. */
export const COLUMN_TYPES = FIELD_LIST.map(({ column }) => (column === 'integer' ? 'integer' : 'text'));

/** The columns that never change and are compared as they are, apart from the account and the reference. */
export const FIXED_COLUMNS = FIELD_LIST.filter(
  ({ name, isSetByFinalChange, hasOwnRule }) =>
    name !== 'account' && name !== 'reference' && isSetByFinalChange !== true && hasOwnRule !== true,
).map(({ property }) => columnOf(property));

/** Columns as SQL lists those of one table among several. */
export const columnsOf = (table: string, columns: readonly string[]): string =>
  columns.map((column) => `${table}.${column}`).join(', ');

/** The columns of a TransactionRow. */
export const TRANSACTION_COLUMNS = RECORDED_COLUMNS.slice(1).join(', ');

/** The values of TRANSACTION_COLUMNS, in their order. Further ones can follow. */
export type TransactionRow = ColumnValue[];

/** The values of RECORDED_COLUMNS. */
export const recordedValues = valuesOfObject<AccountTransaction, ColumnValue>(PROPERTIES);

export const accountTransactionOf = objectOfValues<AccountTransaction>(PROPERTIES);

export const transactionOf: (row: TransactionRow) => Transaction = objectOfValues(PROPERTIES.slice(1));

/** The columns of a ChangesRow. */
export const CHANGES_COLUMNS = `${TRANSACTION_COLUMNS}, ${NUMBER_PROPERTIES.map(columnOf).join(', ')}`;

/** A transaction with the numbers of its changes. */
export type ChangesRow = ColumnValue[];

const numbersOf = objectOfValues<TransactionNumbers>(NUMBER_PROPERTIES);

export const changesOfRow = (row: ChangesRow): Change[] =>
  changesOf(transactionOf(row), numbersOf(row.slice(-NUMBER_PROPERTIES.length)));
