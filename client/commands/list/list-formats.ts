import { guardedCsvCell } from '../../../values/csv-cell.ts';
import { DETAIL_PREFIX, detailOf } from '../../../values/detail-name.ts';
import { COLUMN_FIELDS, type ColumnField } from '../../../values/interface/fields.ts';
import { type Column, type Format, growingTable, JSON_LINES } from '../../../values/terminal/table.ts';
import { isTimeZone, localTimestamps, UTC } from '../../../values/time-zone.ts';
import { WHOLE_FIELDS } from '../../reconcile/compared-fields.ts';
import type { Transaction } from '../../src/index.ts';

const COLUMNS: readonly Column<Transaction>[] = [
  { title: 'CREATED', text: ({ createdAt }) => createdAt },
  { title: 'REFERENCE', text: ({ reference }) => reference },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'AMOUNT', text: ({ amount }) => amount, isNumber: true },
  { title: 'CURRENCY', text: ({ currencyCode }) => currencyCode },
  { title: 'PAID', text: ({ paidAt }) => paidAt ?? '-' },
  { title: 'MERCHANT REFERENCE', text: ({ merchantReference }) => merchantReference ?? '-' },
];

export interface ExtraColumns extends Partial<Record<ColumnField, true | undefined>> {
  timeZone?: string | undefined;
  details?: readonly string[] | undefined;
}

export const LIST_FORMATS: Readonly<
  Record<'table' | 'json' | 'csv', (extra?: ExtraColumns) => Format<Transaction>>
> = {
  table: (extra) =>
    growingTable([
      ...COLUMNS,
      ...valuesOf(extra).map(([name, text]) => ({
        title: name,
        text: (one: Transaction) => text(one) ?? '-',
      })),
    ]),
  json: () => JSON_LINES,
  csv: (extra) => {
    const values = [
      ...WHOLE_FIELDS.map((name): Value => [name, (one) => one[name]]),
      ...localTimes(extra?.timeZone),
      ...valuesOf(extra),
    ];
    return {
      head: [values.map(([name]) => name).join(',')],
      // People often open CSV in a spreadsheet, so no cell may run as a formula.
      lines: (page) =>
        page.map((transaction) =>
          values.map(([, text]) => guardedCsvCell(text(transaction) ?? '')).join(','),
        ),
    };
  },
};

type Value = readonly [name: string, text: (transaction: Transaction) => string | null | undefined];

function localTimes(timeZone: string | undefined = UTC): Value[] {
  if (timeZone === UTC || !isTimeZone(timeZone)) return [];
  const local = localTimestamps(timeZone);
  return [
    ['paidAtLocal', ({ paidAt }) => paidAt && local(Date.parse(paidAt))],
    ['createdAtLocal', ({ createdAt }) => local(Date.parse(createdAt))],
  ];
}

const valuesOf = ({ details = [], ...columns }: ExtraColumns = {}): Value[] => [
  ...COLUMN_FIELDS.filter((name) => columns[name]).map((name): Value => [name, (one) => one[name]]),
  ...details.map((name): Value => [DETAIL_PREFIX + name, (one) => detailOf(one.details, name)]),
];
