import { Signal } from './signal.ts';
import { read, write } from './storage.ts';

const KEY = 'transactions.rows';

/** A page of the service has ten rows, so a larger page here takes several requests. */
export const ROWS = [10, 25, 50, 100] as const;
const DEFAULT_ROWS = 25;

export const rowsPerPage = new Signal<number>(
  ROWS.find((rows) => String(rows) === read(() => localStorage, KEY)) ?? DEFAULT_ROWS,
);

export function chooseRows(rows: number): void {
  rowsPerPage.value = rows;
  write(() => localStorage, KEY, String(rows));
}
