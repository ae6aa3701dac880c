import type { Transaction } from '../../../../client/src/index.ts';
import { SHOWN_FIELDS } from '../../../ledger/transaction-fields.ts';
import { guardedCsvCell } from '../../../values/csv-cell.ts';
import { type Column, type Format, growingTable, JSON_LINES } from '../../terminal/table.ts';

const COLUMNS: readonly Column<Transaction>[] = [
  { title: 'CREATED', text: ({ createdAt }) => createdAt },
  { title: 'REFERENCE', text: ({ reference }) => reference },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'AMOUNT', text: ({ amount }) => amount, isNumber: true },
  { title: 'CURRENCY', text: ({ currencyCode }) => currencyCode },
  { title: 'PAID', text: ({ paidAt }) => paidAt ?? '-' },
  { title: 'MERCHANT REFERENCE', text: ({ merchantReference }) => merchantReference ?? '-' },
];

export const LIST_FORMATS: Readonly<Record<'table' | 'json' | 'csv', () => Format<Transaction>>> = {
  table: () => growingTable(COLUMNS),
  json: () => JSON_LINES,
  csv: () => ({ head: [SHOWN_FIELDS.join(',')], lines: (page) => page.map(csvLine) }),
};

/** Such lines are often opened in a spreadsheet, so texts are guarded. */
const csvLine = (transaction: Transaction) =>
  SHOWN_FIELDS.map((field) => guardedCsvCell(transaction[field] ?? '')).join(',');
