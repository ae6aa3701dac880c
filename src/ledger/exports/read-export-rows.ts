import type { Turns } from '../../../values/background-turns.ts';
import { PENDING } from '../../../values/status.ts';
import type { Change, ChangeReader } from '../changes/change.ts';
import type { ListQuery, Position } from '../list/list.ts';
import { compareInList, positionOf, type Transaction } from '../transaction.ts';
import { type Export, ExportDiffers, type ExportStore, type NumberedTransaction } from './export.ts';
import { scannedFilter } from './transaction-up-to.ts';

const PAGE_SIZE = 1000;
/** How many transactions a turn of the event loop handles while requests arrive: less than 0.1 ms of work. */
const BUSY_ROWS = 20;
/** While no request arrives, a turn handles this many transactions. Longer turns make the export faster. */
const IDLE_ROWS = 200;

export type ExportReader = Pick<ExportStore, 'listNumbered' | 'listsOnThisThread'> & ChangeReader;

export interface ExportTurns extends Pick<Turns, 'next'> {
  readonly rows: number;
}

export const rowsOfTurn = ({ isBusy }: Pick<Turns, 'isBusy'>) => (isBusy ? BUSY_ROWS : IDLE_ROWS);

/** Throws: ExportDiffers if the store does not return the rows in the order of a list. */
export function readExportRows(
  store: ExportReader,
  exported: Export,
  turns: ExportTurns,
): AsyncGenerator<NumberedTransaction[]> {
  // A filter by recordedAt needs pendingRecordedAtMs, which some rows of `pendingSlices` lack.
  return exported.filter.status === PENDING && exported.filter.recordedAt === null
    ? pendingSlices(store, exported, turns)
    : listedSlices(store, exported, null, turns);
}

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
    // The changes must be read after the page. Otherwise, a transaction that became final between the two
    // reads would be in neither.
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

/** A transaction can be in `rows` and in `left`, if it became final just after `rows` was read. */
function merged(
  rows: readonly NumberedTransaction[],
  left: readonly NumberedTransaction[],
): NumberedTransaction[] {
  if (left.length === 0) return [...rows];
  const found = new Set(rows.map(({ transaction }) => transaction.reference));
  const others = left.filter(({ transaction }) => !found.has(transaction.reference));
  return [...rows, ...others].sort((one, other) => compareInList(one.transaction, other.transaction));
}

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

/** If the page is never awaited, its failure must not become an unhandled rejection. */
function readPage(store: Pick<ExportStore, 'listNumbered'>, query: ListQuery, limit: number): Page {
  const transactions = store.listNumbered(query, limit);
  transactions.catch(() => {});
  return { limit, transactions };
}

function checkOrder(after: Position | null, rows: readonly NumberedTransaction[]): void {
  let before = after;
  for (const { transaction } of rows) {
    if (before !== null && compareInList(before, transaction) >= 0)
      throw new ExportDiffers('the store did not return transactions in the order of a list');
    before = transaction;
  }
}

/** This many changes take some MB of memory. */
export const MAX_CHANGES_SINCE = 20_000;

/** Transactions that were pending at `asOf`, but are no longer in the list of pending transactions. */
class LeftPending {
  readonly #reader: ChangeReader;
  readonly #account: string;
  readonly #asOf: number;
  #readUpTo: number;
  /** Transactions that became pending after `asOf`, so the export does not contain them. */
  readonly #recordedSince = new Set<string>();
  #left: NumberedTransaction[] = [];

  constructor(reader: ChangeReader, { account, asOf }: Pick<Export, 'account' | 'asOf'>) {
    this.#reader = reader;
    this.#account = account;
    this.#asOf = asOf;
    this.#readUpTo = asOf;
  }

  /** If more than MAX_CHANGES_SINCE changes were recorded after `asOf`, returns false and reads no change. */
  async update(
    exportedUpTo: Position | null,
    { limit, next }: { limit: number; next(): Promise<void> },
  ): Promise<boolean> {
    const account = this.#account;
    const head = (await this.#reader.readHeads([account])).get(account) ?? 0;
    if (head - this.#asOf > MAX_CHANGES_SINCE) return false;
    const before = this.#left.length;
    while (this.#readUpTo < head) {
      const { changes } = await this.#reader.listChanges({ account, after: this.#readUpTo, limit });
      const last = changes.at(-1);
      if (last === undefined) throw new Error('the changes up to the head sequence are missing');
      for (const change of changes) this.#note(change, exportedUpTo);
      this.#readUpTo = last.sequence;
      await next();
    }
    if (this.#left.length > before)
      this.#left.sort((left, right) => compareInList(left.transaction, right.transaction));
    return true;
  }

  /** If `end` is null, takes all transactions. */
  takeThrough(end: Position | null): NumberedTransaction[] {
    const kept =
      end === null ? -1 : this.#left.findIndex(({ transaction }) => compareInList(transaction, end) > 0);
    return this.#left.splice(0, kept === -1 ? this.#left.length : kept);
  }

  #note(change: Change, exportedUpTo: Position | null): void {
    const { sequence, previousStatus, recordedAtMs, transaction } = change;
    const { reference } = transaction;
    if (transaction.status === PENDING) this.#recordedSince.add(reference);
    if (previousStatus !== PENDING || this.#recordedSince.delete(reference)) return;
    if (exportedUpTo !== null && compareInList(transaction, exportedUpTo) <= 0) return;
    this.#left.push({
      transaction,
      // The transaction was pending at `asOf`. The change that made it pending is unknown.
      pendingSequence: this.#asOf,
      pendingRecordedAtMs: null,
      finalSequence: sequence,
      finalRecordedAtMs: recordedAtMs,
    });
  }
}
