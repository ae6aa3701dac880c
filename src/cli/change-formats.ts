import type { Change } from '../../client/src/index.ts';
import { type Column, type Format, growingTable } from './growing-table.ts';

/** The longest text is last, because a narrow terminal cuts the ends of lines. */
const COLUMNS: readonly Column<Change>[] = [
  { title: 'SEQUENCE', text: ({ sequence }) => String(sequence), isNumber: true },
  // To the second, so that a line fits a terminal of 80 columns.
  { title: 'RECORDED', text: ({ recordedAt }) => recordedAt.replace(/\.\d{3}Z$/, 'Z') },
  { title: 'STATUS', text: ({ transaction }) => transaction.status },
  { title: 'AMOUNT', text: ({ transaction }) => transaction.amount, isNumber: true },
  { title: 'CURRENCY', text: ({ transaction }) => transaction.currencyCode },
  { title: 'REFERENCE', text: ({ transaction }) => transaction.reference },
];

/** A table. `columns` returns the width of the terminal, at which lines are cut, or undefined if there is no terminal. */
export function changeTable(columns: () => number | undefined): Format<Change> {
  const { head, lines } = growingTable(COLUMNS);
  return { head, lines: (page) => lines(page).map((line) => cut(line, columns())) };
}

export const changesAsJson: Format<Change> = {
  head: [],
  lines: (page) => page.map((one) => JSON.stringify(one)),
};

function cut(line: string, width: number | undefined): string {
  return width === undefined || line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
