import type { Turns } from '../../../values/background-turns.ts';
import { PENDING } from '../../../values/status.ts';
import type { ChangeReader } from '../changes/change.ts';
import type { ListQuery, Position } from '../list/list.ts';
import type { Transaction } from '../transaction.ts';
import { type Export, ExportDiffers, type ExportStore, type NumberedTransaction } from './export.ts';
import { compareInList, LeftPending } from './left-pending.ts';
import { scannedFilter } from './transaction-up-to.ts';

/** How many transactions are read at once if the read does not block the event loop. */
const PAGE_SIZE = 1000;
/**
 * How many transactions one turn of the event loop reads and formats while other requests arrive: under 0.1
 * ms of work.
 */
const BUSY_ROWS = 20;
/** The same while no other request arrives. Longer turns make the export faster. */
const IDLE_ROWS = 200;

export type ExportReader = Pick<ExportStore, 'listNumbered' | 'listsOnThisThread'> & ChangeReader;

export interface ExportTurns extends Pick<Turns, 'next'> {
  /** How many transactions are read and formatted before `next` is called. */
  readonly rows: number;
}

export const rowsOfTurn = ({ isBusy }: Pick<Turns, 'isBusy'>) => (isBusy ? BUSY_ROWS : IDLE_ROWS);

/**
 * Reads the list that contains the transactions of an export, with their numbers, in list order. Between two
 * slices, other work gets a turn of the event loop.
 *
 * Throws: ExportDiffers if the store returns the transactions in a different order.
 */
export function readExportRows(
  store: ExportReader,
  exported: Export,
  turns: ExportTurns,
): AsyncGenerator<NumberedTransaction[]> {
  // With recordedAt, the list of all transactions is read, because later changes do not say when a
  // transaction became pending.
  return exported.filter.status === PENDING && exported.filter.recordedAt === null
    ? pendingSlices(store, exported, turns)
    : listedSlices(store, exported, null, turns);
}

/**
 * Yields the transactions that were pending at the `asOf` of an export: those that still are, and those that
 * have since left this status. Each page is read before the changes, so the changes include every transaction
 * that has left the page. If there are too many changes, the rest is read from the list of all transactions.
 */
async function* pendingSlices(
  store: ExportReader,
  exported: Export,
  turns: ExportTurns,
): AsyncGenerator<NumberedTransaction[]> {
  const { account, filter } = exported;
  const left = new LeftPending(store, exported);
  for (let after: Position | null = null; ; ) {
    const limit = pageSize(store, turns);
    const rows: NumberedTransaction[] = await store.listNumbered({ account, filter, after }, limit);
    if (!(await left.update(after, { limit, next: () => turns.next() })))
      return yield* listedSlices(store, exported, after, turns);
    const last = rows.at(-1);
    const end: Position | null =
      last === undefined || rows.length < limit ? null : positionOf(last.transaction);
    const slice = merged(rows, left.takeThrough(end));
    checkOrder(after, slice);
    yield slice;
    await turns.next();
    if (end === null) return;
    after = end;
  }
}

/**
 * Merges two lists in list order. A transaction that left the status after its page was read is in both
 * lists, and is returned once.
 */
function merged(
  rows: readonly NumberedTransaction[],
  left: readonly NumberedTransaction[],
): NumberedTransaction[] {
  if (left.length === 0) return [...rows];
  const found = new Set(rows.map(({ transaction }) => transaction.reference));
  const others = left.filter(({ transaction }) => !found.has(transaction.reference));
  return [...rows, ...others].sort((one, other) => compareInList(one.transaction, other.transaction));
}

/** Yields the list of an export after a position. The list is not filtered by the status `pending`. */
async function* listedSlices(
  store: ExportReader,
  exported: Export,
  begin: Position | null,
  turns: ExportTurns,
): AsyncGenerator<NumberedTransaction[]> {
  const query = { account: exported.account, filter: scannedFilter(exported) };
  const read = (after: Position | null) => readPage(store, { ...query, after }, pageSize(store, turns));
  let next: Page | undefined = read(begin);
  let last: Transaction | undefined;
  while (next !== undefined) {
    const { limit, transactions } = next as Page;
    const rows: NumberedTransaction[] = await transactions;
    checkOrder(last ?? begin, rows);
    last = rows.at(-1)?.transaction;
    // Reads the next page while this one is formatted.
    next = last === undefined || rows.length < limit ? undefined : read(positionOf(last));
    for (let from = 0; from < rows.length; ) {
      const to = from + turns.rows;
      yield to >= rows.length && from === 0 ? rows : rows.slice(from, to);
      await turns.next();
      from = to;
    }
  }
}

interface Page {
  limit: number;
  transactions: Promise<NumberedTransaction[]>;
}

const pageSize = (
  { listsOnThisThread = false }: Pick<ExportStore, 'listsOnThisThread'>,
  turns: ExportTurns,
) => (listsOnThisThread ? turns.rows : PAGE_SIZE);

/** Handles a failure even if nobody awaits the page any more: it must not become an unhandled rejection. */
function readPage(store: Pick<ExportStore, 'listNumbered'>, query: ListQuery, limit: number): Page {
  const transactions = store.listNumbered(query, limit);
  transactions.catch(() => {});
  return { limit, transactions };
}

/** Throws: ExportDiffers unless the transactions are in list order, and all come after the position. */
function checkOrder(after: Position | null, rows: readonly NumberedTransaction[]): void {
  let before = after;
  for (const { transaction } of rows) {
    if (before !== null && compareInList(before, transaction) >= 0)
      throw new ExportDiffers('the store did not return transactions in the order of a list');
    before = transaction;
  }
}

const positionOf = ({ createdAtMs, reference }: Transaction): Position => ({ createdAtMs, reference });
