import type { ListQuery, Position } from '../list/list-query.ts';
import type { Transaction } from '../transaction.ts';
import type { Export, ExportResult, ExportStore, NumberedTransaction } from './export.ts';
import { ExportBytes } from './export-bytes.ts';
import { CSV_HEADER, lineFormatter } from './export-lines.ts';
import type { ExportTurns } from './export-turns.ts';
import { RowTotals, type TotalsDifference, totalsDifferences } from './row-totals.ts';
import { filterMatcher, scannedFilter, transactionAsOf } from './transaction-as-of.ts';

/** How many transactions are read at once, unless reading takes a turn of the event loop itself. */
const PAGE_SIZE = 1000;
/** A piece of the bytes has about this size: sending one costs little for each of its transactions. */
const PIECE_CHARACTERS = 65_536;

/** What an export reads from. */
export type ExportReader = Pick<ExportStore, 'listNumbered' | 'listsOnThisThread'>;

/** What was read is not what the account had at the number of the export. */
export class ExportDiffers extends Error {
  override readonly name = 'ExportDiffers';
  readonly differences: readonly TotalsDifference[];

  constructor(message: string, differences: readonly TotalsDifference[] = []) {
    super(message);
    this.differences = differences;
  }
}

/**
 * Reads the transactions of an export page by page, and yields its bytes in pieces, each valid until the next one. Those of an export that is taken up again are
 * read from the start, but only yielded after the transaction where it was taken up. Returns the result, which has been compared
 * with the totals of the export.
 *
 * Throws: ExportDiffers if it does not agree with the totals.
 */
export async function* runExport(
  store: ExportReader,
  exported: Export,
  turns: Pick<ExportTurns, 'next' | 'rows'>,
): AsyncGenerator<Uint8Array, Omit<ExportResult, 'finishedAtMs'>> {
  const { resumedAfter, asOf, filter } = exported;
  const bytes = new ExportBytes(exported.format === 'csv' ? CSV_HEADER : '');
  const sums = new RowTotals();
  const lineOf = lineFormatter(exported);
  const matches = filterMatcher(filter);
  let partsEnded = 0;
  for await (const rows of numberedSlices(store, exported, turns)) {
    for (const row of rows) {
      const transaction = transactionAsOf(row, asOf);
      if (transaction === undefined || !matches(transaction)) continue;
      bytes.add(lineOf(transaction));
      sums.add(transaction);
      if (transaction.reference !== resumedAfter[partsEnded]) continue;
      bytes.endPart(transaction.reference);
      partsEnded++;
    }
    if (bytes.collected < PIECE_CHARACTERS) continue;
    const piece = bytes.take();
    if (partsEnded === resumedAfter.length) yield piece;
  }
  if (partsEnded < resumedAfter.length)
    throw new ExportDiffers('the transaction after which it was taken up is missing');
  if (bytes.collected > 0) yield bytes.take();
  const differences = totalsDifferences(exported.totals, sums.list());
  if (differences.length > 0)
    throw new ExportDiffers('what was read does not add up to the totals', differences);
  return bytes.result();
}

/** The transactions of an export's list with their numbers, with a turn of the event loop between two slices. */
async function* numberedSlices(
  store: ExportReader,
  { account, filter }: Export,
  turns: Pick<ExportTurns, 'next' | 'rows'>,
): AsyncGenerator<NumberedTransaction[]> {
  const query = { account, filter: scannedFilter(filter) };
  const read = (after: Position | null) => readPage(store, { ...query, after }, pageSize(store, turns));
  let next: Page | undefined = read(null);
  let last: Transaction | undefined;
  while (next !== undefined) {
    const { limit, transactions } = next as Page;
    const rows: NumberedTransaction[] = await transactions;
    checkOrder(last, rows);
    last = rows.at(-1)?.transaction;
    // The next page is read while this one is formatted.
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

const pageSize = ({ listsOnThisThread = false }: ExportReader, { rows }: Pick<ExportTurns, 'rows'>) =>
  listsOnThisThread ? rows : PAGE_SIZE;

/** If nobody waits for the page any more, its failure is no unhandled rejection. */
function readPage(store: Pick<ExportStore, 'listNumbered'>, query: ListQuery, limit: number): Page {
  const transactions = store.listNumbered(query, limit);
  transactions.catch(() => {});
  return { limit, transactions };
}

const positionOf = ({ createdAtMs, reference }: Transaction): Position => ({ createdAtMs, reference });

/** Throws: ExportDiffers unless each transaction follows the one before in the order of a list. References are ASCII. */
function checkOrder(last: Transaction | undefined, rows: readonly NumberedTransaction[]): void {
  let before = last;
  for (const { transaction } of rows) {
    if (
      before !== undefined &&
      (transaction.createdAtMs > before.createdAtMs ||
        (transaction.createdAtMs === before.createdAtMs && transaction.reference >= before.reference))
    )
      throw new ExportDiffers('the store did not return transactions in the order of a list');
    before = transaction;
  }
}
