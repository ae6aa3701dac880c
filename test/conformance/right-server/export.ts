import { createHash } from 'node:crypto';
import type { Filter } from './filter.ts';
import { formatTime } from './times.ts';
import type { Total } from './totals.ts';
import { showTransaction, type Transaction } from './transaction.ts';

export type Format = 'csv' | 'ndjson';

/** An export: its rows as of a sequence number, and how far they were sent. */
export type Export = {
  id: string;
  account: string;
  format: Format;
  spreadsheet: boolean;
  filter: Filter;
  asOf: number;
  /** The id of that change; null without one. */
  asOfId: string | null;
  transactions: Transaction[];
  totals: Total[];
  /** The index of the first row of each part. There are several if the export was cut and resumed. */
  parts: number[];
  isComplete: boolean;
  startedAtMs: number;
  finishedAtMs: number | null;
};

const COLUMNS = [
  'reference',
  'merchantReference',
  'status',
  'amount',
  'currencyCode',
  'paidAt',
  'createdAt',
] as const;
/** Where a cell can begin with a formula, in a spreadsheet with any separator. */
const FORMULA = /(?<=(?:^|[,;|\t\r\n])[\s"]*)(?=[=+\-@])/g;

/** The lines of some rows, with the header line of CSV before the first row. */
export function* exportLines(one: Export, begin: number, end: number): Generator<string> {
  if (begin === 0 && one.format === 'csv') yield `${COLUMNS.join(',')}\r\n`;
  for (const transaction of one.transactions.slice(begin, end)) {
    const shown = showTransaction(transaction);
    if (one.format === 'ndjson') yield `${JSON.stringify(shown)}\n`;
    else
      yield `${COLUMNS.map((name) => csvCell(shown[name], one.spreadsheet && name !== 'amount')).join(',')}\r\n`;
  }
}

function csvCell(value: string | null, isGuarded: boolean): string {
  if (value === null) return '';
  const text = isGuarded ? value.replace(FORMULA, "'") : value;
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The manifest. Rows, bytes and hashes are null until the export is complete. */
export function showManifest(one: Export): object {
  const whole = one.isComplete
    ? measure(one, 0, one.transactions.length)
    : { rows: null, bytes: null, sha256: null };
  const parts = one.parts.map((begin, index) => ({
    after: one.transactions[begin - 1]?.reference ?? null,
    ...measure(one, begin, one.parts[index + 1] ?? one.transactions.length),
  }));
  return {
    id: one.id,
    state: one.isComplete ? 'complete' : 'running',
    format: one.format,
    ...(one.format === 'csv' ? { spreadsheet: one.spreadsheet } : {}),
    filters: one.filter,
    asOf: one.asOf,
    asOfId: one.asOfId,
    ...whole,
    totals: one.totals,
    parts: one.isComplete ? parts : [],
    startedAt: formatTime(one.startedAtMs),
    finishedAt: one.finishedAtMs === null ? null : formatTime(one.finishedAtMs),
  };
}

function measure(one: Export, begin: number, end: number) {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const line of exportLines(one, begin, end)) {
    hash.update(line);
    bytes += Buffer.byteLength(line);
  }
  return { rows: end - begin, bytes, sha256: hash.digest('hex') };
}
