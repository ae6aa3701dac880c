/** A terminal that is narrower than this cannot show names and values. */
const MIN_CHARACTERS = 40;

/** The characters of a line of the terminal. A file or a pipe has those that COLUMNS says, or no limit. */
export function lineWidth(): number {
  const columns = process.stdout.columns ?? Number(process.env['COLUMNS'] ?? '');
  return columns > 0 ? Math.max(MIN_CHARACTERS, columns) : Number.POSITIVE_INFINITY;
}

/**
 * The rows of a table that is wider than the terminal: a line for each cell with its title, and an empty line after each row. A long
 * text continues on the next line.
 */
export function rowBlocks(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
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

export const isWider = (lines: readonly string[], width: number): boolean =>
  lines.some((line) => line.length > width);
