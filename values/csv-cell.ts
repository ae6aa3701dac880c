/**
 * Source: OWASP, "CSV Injection". Spreadsheets can split a line at other separators than the file's, and then
 * quotes are inside another cell and do not help. So a sign is dangerous at the beginning and after each
 * separator, even after white space or quotes. A sign between two spaces is harmless: "ACME - March".
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
