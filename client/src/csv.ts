import { TRANSACTION_FIELDS, type Transaction } from './transaction.ts';

const COLUMNS = Object.keys(TRANSACTION_FIELDS) as (keyof Transaction)[];

/** The names of the fields, as a line of CSV without its end. */
export const CSV_HEADER: string = COLUMNS.join(',');

/** What a spreadsheet takes for a formula, full-width signs included. Source: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * A transaction as a line of CSV (RFC 4180) without its end; null is empty. A text that a spreadsheet would take for
 * a formula gets an apostrophe before it. Amounts stay as they are.
 */
export function toCsvLine(transaction: Transaction): string {
  return COLUMNS.map((column) => cell(transaction[column] ?? '')).join(',');
}

function cell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
