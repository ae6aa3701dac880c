/*
 * Worksheets in the XML of Office Open XML (ECMA-376).
 * Texts have the cell type inlineStr, because no spreadsheet runs such a cell as a formula or changes it into
 * a number.
 */

/** Indexes in `cellXfs` of STYLES. */
const STYLE = { header: 1, amount: 2, time: 3, text: 4, longAmount: 5, count: 6, day: 7 } as const;

/** The formats 2 to 49 are built in: 3 is #,##0, 4 is #,##0.00, 49 is text. */
export const STYLES = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="8"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment horizontal="right"/></xf><xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

export type Cell = (address: string) => string;

/** If a number has more digits and thousands separators, LibreOffice rounds it. Such amounts become text. */
const EXACT_DIGITS = 14;
const DAY_MS = 86_400_000;
const UNIX_EPOCH_DAYS = 25_569;
/** The number of the day 1900-03-01 in a spreadsheet. Spreadsheets disagree about earlier days. */
const FIRST_DAYS = 61;

/** Characters that XML cannot contain, and texts that spreadsheets would read as escaped characters. */
const TO_ESCAPE = /_(?=x[0-9a-f]{4}_)|\p{Cc}|\p{Cs}|[\ufffe\uffff]/giu;
const MARKUP = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' } as const;

export const xmlText = (text: string): string =>
  text
    .replaceAll(
      TO_ESCAPE,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll(/[&<>"]/g, (character) => MARKUP[character as keyof typeof MARKUP]);

const styled =
  (style: keyof typeof STYLE) =>
  (text: string): Cell =>
  (address) =>
    `<c r="${address}" s="${STYLE[style]}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

export const textCell = styled('text');
export const headerCell = styled('header');
export const emptyCell: Cell = () => '';

export const countCell =
  (count: number): Cell =>
  (address) =>
    `<c r="${address}" s="${STYLE.count}"><v>${count}</v></c>`;

export function amountCell(amount: string): Cell {
  if (!isExactAmount(amount)) return styled('longAmount')(amount);
  return (address) => `<c r="${address}" s="${STYLE.amount}"><v>${amount}</v></c>`;
}

export const isExactAmount = (amount: string): boolean => amount.replaceAll(/\D/g, '').length <= EXACT_DIGITS;

const dated =
  (style: keyof typeof STYLE, rest: string) =>
  (text: string): Cell => {
    const days = Date.parse(text + rest) / DAY_MS + UNIX_EPOCH_DAYS;
    if (days < FIRST_DAYS) return textCell(text);
    return (address) => `<c r="${address}" s="${STYLE[style]}"><v>${days}</v></c>`;
  };

export const timeCell = dated('time', '');
export const dayCell = dated('day', 'T00:00Z');

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const columnLetters = (index: number) =>
  `${LETTERS[Math.floor(index / LETTERS.length) - 1] ?? ''}${LETTERS[index % LETTERS.length]}`;

/** `row` counts from 1. */
export const sheetRow = (row: number, cells: readonly Cell[]): string =>
  `<row r="${row}">${cells.map((cell, index) => cell(`${columnLetters(index)}${row}`)).join('')}</row>`;

interface SheetForm {
  /** The width of each column, in characters. */
  widths: readonly number[];
  isTable: boolean;
  isFirst?: boolean;
}

export function sheetStart({ widths, isTable, isFirst = false }: SheetForm): string {
  const pane = isTable ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : '';
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`;
}

export function sheetEnd(rows: number, columns: number, tableRows = 0): string {
  const range = (last: number) => `A1:${columnLetters(columns - 1)}${last}`;
  const filter = tableRows > 0 ? `<autoFilter ref="${range(tableRows)}"/>` : '';
  // Without ignoredErrors, spreadsheets show a warning at each text that consists of digits.
  return `</sheetData>${filter}<pageSetup orientation="landscape"/><ignoredErrors><ignoredError sqref="${range(rows)}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}
