import { counted, lineCount, number } from '../../../values/counted.ts';
import { type Column, table } from '../../../values/terminal/table.ts';
import type { FileColumns } from '../../reconcile/file-columns.ts';
import type { FileTable } from '../../reconcile/file-table.ts';
import {
  COMPARISON_CLASSES,
  type ComparisonClass,
  type Sum,
  type SumRow,
} from '../../reconcile/reconcile-sums.ts';
import { fromMinorUnits, type Transaction } from '../../src/index.ts';
import { archivedNote } from '../archived-note.ts';
import { CLASS_NAMES } from './reconcile-formats.ts';

const MEANINGS: Record<ComparisonClass, string> = {
  equal: 'equal',
  missing_here: 'missing here (in the file, not in the account)',
  missing_there: 'missing there (in the account, not in the file)',
  differing: 'differing',
};

export function reconciliationSummary(rows: readonly SumRow[], { fields }: FileColumns): string[] {
  const countOf = (of: ComparisonClass) => {
    const those = rows.filter((row) => row.class === of);
    return Math.max(total(those, 'file'), total(those, 'account'));
  };
  const counts = COMPARISON_CLASSES.map((of) => `${number(countOf(of))} ${MEANINGS[of]}`);
  const head = `Compared ${lineCount(total(rows, 'file'))} with ${counted(total(rows, 'account'), 'transaction')}: ${counts.join(', ')}.`;
  if (rows.length === 0) return [head];
  return [head, ...table(columnsOf(fields.includes('amount')), rows)];
}

const amountOf = ({ count, amountMinor }: Sum) => (count === 0 ? '-' : fromMinorUnits(amountMinor));

const columnsOf = (hasAmounts: boolean): readonly Column<SumRow>[] => [
  { title: '', text: (row) => CLASS_NAMES[row.class] },
  { title: 'CURRENCY', text: ({ currencyCode }) => currencyCode ?? '-' },
  { title: 'LINES', text: ({ file }) => String(file.count), isNumber: true },
  { title: 'AMOUNT', text: ({ file }) => (hasAmounts ? amountOf(file) : '-'), isNumber: true },
  { title: 'TRANSACTIONS', text: ({ account }) => String(account.count), isNumber: true },
  { title: 'AMOUNT', text: ({ account }) => amountOf(account), isNumber: true },
];

const total = (rows: readonly SumRow[], side: 'file' | 'account') =>
  rows.reduce((sum, row) => sum + row[side].count, 0);

export interface Named<Item> {
  count: number;
  /** The first items. */
  some: Item[];
}

const othersOf = ({ count, some }: Named<unknown>) =>
  count > some.length ? `, and ${number(count - some.length)} more` : '';

export function lateNote(late: Named<Transaction>): string[] {
  if (late.count === 0) return [];
  const named = late.some.map(
    ({ reference, amount, currencyCode }) => `${reference} (${amount} ${currencyCode})`,
  );
  return [
    `${counted(late.count, 'transaction')} of the last days without a line in this file, perhaps with one in the next file: ${named.join(', ')}${othersOf(late)}. Not counted above.`,
  ];
}

export function archivedLinesNote(lines: Named<number>, archivedBefore: string | undefined): string[] {
  if (lines.count === 0) return archivedNote(archivedBefore);
  return [
    `Not compared: ${lineCount(lines.count)} of the file (${lines.some.join(', ')}${othersOf(lines)}). Transactions that were created before ${archivedBefore} are archived, and the transactions of these lines may be among them: ask the operator of the service.`,
  ];
}

export const encodingNote = (encoding: string): string[] =>
  ['ascii', 'utf-8'].includes(encoding) ? [] : [`The file is not UTF-8, and is read as ${encoding}.`];

export const aboveNote = (table: FileTable | undefined): string[] =>
  table !== undefined && table.headerLine > 1
    ? [`The columns are named on line ${table.headerLine}. The lines above it are ignored.`]
    : [];

export function ignoredNote({ ignored }: FileColumns): string[] {
  if (ignored.length === 0) return [];
  return [
    `Not compared: ${ignored.map((name) => JSON.stringify(name)).join(', ')}. To compare a column, name its field: --column "${ignored[0]}=FIELD".`,
  ];
}
