import { csvCell, guardedCsvCell } from '../../values/csv-cell.ts';
import { valuesOfObject } from '../../values/row-functions.ts';
import type { Transaction } from '../transaction.ts';
import { FIELD_LIST, formatTransaction, SHOWN_FIELDS } from '../transaction-fields.ts';
import type { Export } from './export.ts';

/** The names of the fields, as the first line of a CSV file. */
export const CSV_HEADER = `${SHOWN_FIELDS.join(',')}\r\n`;

/** A function that formats a transaction as a line of an export, with its line end. */
export function lineFormatter({
  format,
  spreadsheet,
}: Pick<Export, 'format' | 'spreadsheet'>): (transaction: Transaction) => string {
  if (format === 'ndjson') return ndjsonLine;
  return spreadsheet ? guardedCsvLine : plainCsvLine;
}

/** The transaction as in a list. */
function ndjsonLine(transaction: Transaction): string {
  return `${JSON.stringify(formatTransaction(transaction))}\n`;
}

const plainCsvLine = (transaction: Transaction) => csvLine(transaction, csvCell);
const guardedCsvLine = (transaction: Transaction) => csvLine(transaction, guardedCsvCell);

const shownValues = valuesOfObject<ReturnType<typeof formatTransaction>, string | null>(SHOWN_FIELDS);
const IS_FREE_TEXT = FIELD_LIST.filter(({ name }) => name !== 'account').map(({ isFreeText }) => isFreeText);

/** A line of CSV (RFC 4180); null is an empty cell. */
function csvLine(transaction: Transaction, textCell: (text: string) => string): string {
  let line = '';
  for (const [at, value] of shownValues(formatTransaction(transaction)).entries())
    line += `${at === 0 ? '' : ','}${value === null ? '' : IS_FREE_TEXT[at] ? textCell(value) : value}`;
  return `${line}\r\n`;
}
