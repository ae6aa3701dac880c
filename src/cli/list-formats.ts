import { CSV_HEADER, type Transaction, toCsvLine } from '../../client/src/index.ts';
import { visible } from './visible.ts';

/** An output format: the lines before the first page, and the lines of each page. */
export interface Format {
  head: readonly string[];
  lines: (page: readonly Transaction[]) => string[];
}

interface Column {
  title: string;
  text: (transaction: Transaction) => string;
  isNumber?: true;
}

const COLUMNS: readonly Column[] = [
  { title: 'CREATED', text: ({ createdAt }) => createdAt },
  { title: 'REFERENCE', text: ({ reference }) => reference },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'AMOUNT', text: ({ amount }) => amount, isNumber: true },
  { title: 'CURRENCY', text: ({ currencyCode }) => currencyCode },
  { title: 'PAID', text: ({ paidAt }) => paidAt ?? '-' },
  { title: 'MERCHANT REFERENCE', text: ({ merchantReference }) => merchantReference ?? '-' },
];

/**
 * A table whose columns fit the first page and later only widen, because printed lines can't be changed. Its titles are
 * printed with the first page, when the widths are known.
 */
function tableFormat(): Format {
  const titles = COLUMNS.map(({ title }) => title);
  let isFirst = true;
  const widths = titles.map(({ length }) => length);
  const line = (cells: readonly string[]) =>
    COLUMNS.map(({ isNumber }, at) => {
      const [cell, width] = [cells[at] ?? '', widths[at] ?? 0];
      return isNumber ? cell.padStart(width) : cell.padEnd(width);
    })
      .join('  ')
      .trimEnd();
  return {
    head: [],
    lines: (page) => {
      const rows = page.map((one) => COLUMNS.map(({ text }) => visible(text(one))));
      for (const row of rows) {
        for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
      }
      const shown = isFirst ? [titles, ...rows] : rows;
      isFirst = false;
      return shown.map(line);
    },
  };
}

export const LIST_FORMATS: Readonly<Record<'table' | 'json' | 'csv', () => Format>> = {
  table: tableFormat,
  json: () => ({ head: [], lines: (page) => page.map((one) => JSON.stringify(one)) }),
  csv: () => ({ head: [CSV_HEADER], lines: (page) => page.map(toCsvLine) }),
};
