import { TRANSACTION_FIELDS, type Transaction } from '../../client/src/transaction.ts';

const COLUMNS = Object.keys(TRANSACTION_FIELDS) as (keyof Transaction)[];

/** The names of the fields, as a line of CSV without its line end. */
export const CSV_HEADER: string = COLUMNS.join(',');

/** A text that a spreadsheet runs as a formula, full-width signs included. Source: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * A transaction as a line of CSV (RFC 4180) without its line end; null is an empty cell. A text that a spreadsheet
 * would run as a formula gets an apostrophe in front. Amounts stay unchanged.
 */
export function toCsvLine(transaction: Transaction): string {
  return COLUMNS.map((column) => cell(transaction[column] ?? '')).join(',');
}

function cell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
