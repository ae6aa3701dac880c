import { formatAmount } from '../../values/amount.ts';
import { formatTimestamp } from '../../values/calendar.ts';
import { csvCell, guardedCsvCell } from '../../values/csv-cell.ts';
import { formatTransaction, TRANSACTION_FIELDS, type Transaction } from '../transaction.ts';
import type { Export } from './export.ts';

/** The names of the fields, as the first line of a CSV file. */
export const CSV_HEADER = `${TRANSACTION_FIELDS.slice(1).join(',')}\r\n`;

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

/** A line of CSV (RFC 4180); null is an empty cell. Amounts, currencies and times have a form that needs no quotes. */
function csvLine(transaction: Transaction, textCell: (text: string) => string): string {
  const { reference, merchantReference, status, amountMinor, currencyCode, paidAtMs, createdAtMs } =
    transaction;
  const merchantCell = merchantReference === null ? '' : textCell(merchantReference);
  const paidAt = paidAtMs === null ? '' : formatTimestamp(paidAtMs);
  return `${textCell(reference)},${merchantCell},${textCell(status)},${formatAmount(amountMinor)},${currencyCode},${paidAt},${formatTimestamp(createdAtMs)}\r\n`;
}
