/** A text that a spreadsheet runs as a formula, full-width signs included. Source: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/** A text as a cell of CSV (RFC 4180). */
export function csvCell(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The same with an apostrophe before a text that a spreadsheet would run as a formula. Numbers stay unchanged. */
export function guardedCsvCell(text: string): string {
  return csvCell(FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);
}
