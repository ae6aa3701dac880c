/**
 * The places where a spreadsheet could begin to read a formula. Source: OWASP, "CSV Injection".
 *
 * Excel and LibreOffice split a line at the separators that the country or the user sets (comma, semicolon,
 * tab, `|` or white space), which can differ from those of the file. Quotes do not help then, because they
 * are inside another cell. So a sign (`=`, `+`, `-`, `@`, also full-width) is dangerous at the beginning of
 * the text and after each separator, even after white space or quotes. A sign between two spaces is harmless,
 * because it is alone in its cell: "ACME - March".
 */
const FORMULA_START = /(?=[=+\-@＝＋－＠])(?:(?<=(?:^|[,;|\t\r\n])[\s"]*)|(?<=\s"*)(?!. ))|^(?=[\t\r])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

export function csvCell(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Adds an apostrophe wherever a spreadsheet could begin to read a formula. Numbers stay unchanged. */
export function guardedCsvCell(text: string): string {
  return csvCell(NUMBER.test(text) ? text : text.replaceAll(FORMULA_START, "'"));
}
