import { visible } from '../../values/visible.ts';
import { isWider, lineWidth, rowBlocks } from './line-width.ts';

/** An output format: the lines before the first page, and the lines of each page. */
export interface Format<Row> {
  head: readonly string[];
  lines: (page: readonly Row[]) => string[];
}

export interface Column<Row> {
  title: string;
  text: (row: Row) => string;
  isNumber?: true;
}

/**
 * A table whose columns fit the first page and later only widen, because printed lines can't be changed. Its titles are
 * printed with the first page, when the widths are known. From the first page that is wider than the terminal on, each cell has a line.
 */
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
      isNarrow ||= isWider(shown, lineCharacters);
      if (!isNarrow) return shown;
      return [...(isBetween ? [''] : []), ...rowBlocks(titles, rows, lineCharacters)];
    },
  };
}
