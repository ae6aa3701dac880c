import { type Column, type Format, growingTable } from '../../../values/terminal/table.ts';
import type { Change } from '../../src/index.ts';
import type { Rewind } from '../rewinds.ts';

/** The reference is last, so that a long reference does not move other columns. */
const COLUMNS: readonly Column<Change>[] = [
  { title: 'SEQUENCE', text: ({ sequence }) => String(sequence), isNumber: true },
  // Without milliseconds, most lines fit a terminal with 80 columns.
  { title: 'RECORDED', text: ({ recordedAt }) => recordedAt.replace(/\.\d{3}Z$/, 'Z') },
  { title: 'STATUS', text: ({ transaction }) => transaction.status },
  { title: 'AMOUNT', text: ({ transaction }) => transaction.amount, isNumber: true },
  { title: 'CURRENCY', text: ({ transaction }) => transaction.currencyCode },
  { title: 'REFERENCE', text: ({ transaction }) => transaction.reference },
];

export const changeTable = (): Format<Change> => growingTable(COLUMNS);

/** No change has the field `rewind`, so a reader can tell this line from a change. */
export const rewindAsJson = ({ lastSequence, lastId }: Rewind): string =>
  JSON.stringify({ rewind: { lastSequence, lastId } });
