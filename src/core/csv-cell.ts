/** A text that a spreadsheet runs as a formula, full-width signs included. Source: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A text as a cell of CSV (RFC 4180); null is an empty cell. */
export function csvCell(text: string | null): string {
  if (text === null) return '';
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text for a spreadsheet: one that it would run as a formula gets an apostrophe in front. Numbers stay unchanged. */
export function guarded(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
