/**
 * Source: OWASP, "CSV Injection". A spreadsheet can split lines at another separator than the comma. Then a
 * new cell can begin in the middle of quoted text. If a cell begins with =, +, - or @, it runs as a formula.
 * So these signs are dangerous at the beginning of the text and after each separator, even if white space or
 * quotes come between. A sign between two spaces is harmless, as in "ACME - March".
 */
const FORMULA_START = /(?=[=+\-@＝＋－＠])(?:(?<=(?:^|[,;|\t\r\n])[\s"]*)|(?<=\s"*)(?!. ))|^(?=[\t\r])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

export function csvCell(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function guardedCsvCell(text: string): string {
  return csvCell(NUMBER.test(text) ? text : text.replaceAll(FORMULA_START, "'"));
}
