import { csvFields } from '../../values/read-csv.ts';

export interface FileTable {
  delimiter: string;
  /** 0 if the file has no header. */
  headerLine: number;
  names: readonly string[];
  rows: readonly (readonly string[])[];
}

const SAMPLE_ROWS = 300;
/** If several delimiters fit equally well, the first is taken. Amounts may have commas, so `,` is last. */
const DELIMITERS = [';', '\t', ','] as const;
const MAX_LINES_ABOVE_HEADER = 40;

/** Takes the delimiter that gives most lines the same number of columns. */
export function tableOf(lines: readonly string[]): FileTable | undefined {
  const [best] = DELIMITERS.map((delimiter) => {
    const all = lines.map((line) => csvFields(line, delimiter) ?? []);
    const columns = mostCommon(all.filter((row) => widthOf(row) > 1).map((row) => row.length)) ?? 1;
    const rows = all.map((row) => (row.length === columns && widthOf(row) > 1 ? row : []));
    return { delimiter, rows, columns, fitting: rows.filter((row) => row.length > 0).length };
  }).sort((one, other) => other.fitting - one.fitting);
  if (best === undefined || best.columns < 2) return undefined;
  const { delimiter, rows, columns } = best;
  const filled = rows.filter((row) => row.length > 0);
  const headerLine = headerLineOf(rows, mostCommon(filled.map(widthOf)) ?? columns);
  return {
    delimiter,
    headerLine,
    names:
      rows[headerLine - 1]?.map((name) => name.trim()) ??
      Array.from({ length: columns }, (_, index) => String(index + 1)),
    rows: rows
      .slice(headerLine)
      .filter((row) => row.length > 0)
      .slice(0, SAMPLE_ROWS),
  };
}

/** Every line above the header has fewer columns than the header. */
function headerLineOf(rows: readonly (readonly string[])[], width: number): number {
  let above = 0;
  for (const [index, row] of rows.slice(0, MAX_LINES_ABOVE_HEADER).entries()) {
    const own = widthOf(row);
    if (own >= width && own > above && isHeader(row)) return index + 1;
    above = Math.max(above, own);
  }
  return 0;
}

const isHeader = (row: readonly string[]) =>
  row.filter((cell) => cell !== '').length > 1 &&
  !row.some((cell) => /^[\s\d.,:/+-]*\d[\s\d.,:/+-]*$/.test(cell));

/** A spreadsheet pads all lines to the width of the widest line, so empty cells at the end do not count. */
const widthOf = (row: readonly string[]) => row.findLastIndex((cell) => cell.trim() !== '') + 1;

function mostCommon(numbers: readonly number[]): number | undefined {
  // Map.groupBy is missing in Node 20, on which the command can run.
  const counts = new Map<number, number>();
  for (const one of numbers) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([one, count], [other, more]) => more - count || other - one)[0]?.[0];
}
