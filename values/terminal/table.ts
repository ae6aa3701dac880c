import { visible } from '../visible.ts';
import { printManyResults } from './output.ts';

export interface Format<Row> {
  head: readonly string[];
  lines: (page: readonly Row[]) => string[];
}

export const JSON_LINES: Format<unknown> = {
  head: [],
  lines: (page) => page.map((row) => JSON.stringify(row)),
};

export interface Column<Row> {
  title: string;
  text: (row: Row) => string;
  isNumber?: true;
}

/** Printed lines can't be changed, so the columns only widen. */
export function growingTable<Row>(
  columns: readonly Column<Row>[],
  lineCharacters = lineWidth(),
): Format<Row> {
  const titles = columns.map(({ title }) => title);
  let isFirst = true;
  let isNarrow = false;
  const widths = titles.map(({ length }) => length);
  const line = (cells: readonly string[]) =>
    columns
      .map(({ isNumber }, at) => {
        const [cell, width] = [cells[at] ?? '', widths[at] ?? 0];
        return isNumber ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return {
    head: [],
    lines: (page) => {
      const rows = page.map((one) => columns.map(({ text }) => visible(text(one))));
      for (const row of rows) {
        for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
      }
      const isBetween = !isFirst && !isNarrow;
      const shown = (isFirst ? [titles, ...rows] : rows).map(line);
      isFirst = false;
      isNarrow ||= shown.some(({ length }) => length > lineCharacters);
      if (!isNarrow) return shown;
      return [...(isBetween ? [''] : []), ...rowBlocks(titles, rows, lineCharacters)];
    },
  };
}

export const table = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  lineCharacters?: number,
): string[] => growingTable(columns, lineCharacters).lines(rows);

/** A narrower terminal cannot show both names and values. */
const MIN_CHARACTERS = 40;

/** For a file or a pipe, the width is COLUMNS, or unlimited. */
function lineWidth(): number {
  const columns = process.stdout.columns ?? Number(process.env['COLUMNS'] ?? '');
  return columns > 0 ? Math.max(MIN_CHARACTERS, columns) : Number.POSITIVE_INFINITY;
}

function rowBlocks(titles: readonly string[], rows: readonly (readonly string[])[], width: number): string[] {
  const indent = Math.max(...titles.map(({ length }) => length)) + 2;
  return rows.flatMap((row) => [
    ...row.flatMap((text, at) =>
      pieces(text, Math.max(1, width - indent)).map((piece, index) =>
        `${(index === 0 ? (titles[at] ?? '') : '').padEnd(indent)}${piece}`.trimEnd(),
      ),
    ),
    '',
  ]);
}

function pieces(text: string, characters: number): string[] {
  const all = [...text];
  const count = Math.max(1, Math.ceil(all.length / characters));
  return Array.from({ length: count }, (_, at) => all.slice(at * characters, (at + 1) * characters).join(''));
}

export async function printPages<Row>(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly Column<Row>[],
  json: true | undefined,
): Promise<number> {
  const { lines } = json ? JSON_LINES : growingTable(columns);
  let count = 0;
  for await (const page of pages) {
    await printManyResults(...lines(page));
    count += page.length;
  }
  return count;
}
