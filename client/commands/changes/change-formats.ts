import { type Column, type Format, growingTable } from '../../../values/terminal/table.ts';
import type { Change } from '../../src/index.ts';
import type { Rewind } from '../rewinds.ts';

const COLUMNS: readonly Column<Change>[] = [
  { title: 'SEQUENCE', text: ({ sequence }) => String(sequence), isNumber: true },
  { title: 'RECORDED', text: ({ recordedAt }) => recordedAt.replace(/\.\d{3}Z$/, 'Z') },
  { title: 'STATUS', text: ({ transaction }) => transaction.status },
  { title: 'AMOUNT', text: ({ transaction }) => transaction.amount, isNumber: true },
  { title: 'CURRENCY', text: ({ transaction }) => transaction.currencyCode },
  { title: 'REFERENCE', text: ({ transaction }) => transaction.reference },
];

export const changeTable = (): Format<Change> => growingTable(COLUMNS);

export const rewindAsJson = ({ lastSequence, lastId }: Rewind): string =>
  JSON.stringify({ rewind: { lastSequence, lastId } });
