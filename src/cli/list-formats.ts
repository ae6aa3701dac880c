import { CSV_HEADER, type Transaction, toCsvLine } from '../../client/src/index.ts';
import { type Column, type Format, growingTable } from './growing-table.ts';

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
  json: () => ({ head: [], lines: (page) => page.map((one) => JSON.stringify(one)) }),
  csv: () => ({ head: [CSV_HEADER], lines: (page) => page.map(toCsvLine) }),
};
