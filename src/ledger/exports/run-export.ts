import { TotalsSum, totalsDifferences } from '../totals/total.ts';
import { type Export, ExportDiffers, type ExportResult } from './export.ts';
import { ExportBytes } from './export-bytes.ts';
import { csvHeader, lineFormatter } from './export-lines.ts';
import { type ExportReader, type ExportTurns, readExportRows } from './read-export-rows.ts';
import { filterMatcher, recordedTimes, transactionUpTo } from './transaction-up-to.ts';

/** About the size of a piece of the bytes. At this size, sending costs little per transaction. */
const PIECE_CHARACTERS = 65_536;

/**
 * Reads the transactions of an export page by page, and yields its bytes in pieces. A piece is valid until
 * the next one. Compares the result with the totals of the export, and returns it.
 *
 * Throws: ExportDiffers if the result and the totals differ.
 */
export async function* runExport(
  store: ExportReader,
  exported: Export,
  turns: ExportTurns,
): AsyncGenerator<Uint8Array, Omit<ExportResult, 'finishedAtMs'>> {
  const { asOf, filter } = exported;
  const bytes = new ExportBytes(exported.format === 'csv' ? csvHeader(filter) : '');
  const sums = new TotalsSum();
  const lineOf = lineFormatter(exported);
  const matches = filterMatcher(filter);
  const hasTimes = filter.recordedAt !== null;
  for await (const rows of readExportRows(store, exported, turns)) {
    for (const row of rows) {
      const transaction = transactionUpTo(row, asOf);
      if (transaction === undefined || !matches(transaction)) continue;
      bytes.add(lineOf(transaction, hasTimes ? recordedTimes(row, asOf) : undefined));
      sums.addRow(null, transaction.currencyCode, transaction.status, transaction.amountMinor);
    }
    if (bytes.collected >= PIECE_CHARACTERS) yield bytes.take();
  }
  if (bytes.collected > 0) yield bytes.take();
  const differences = totalsDifferences(exported.totals, sums.list());
  if (differences.length > 0)
    throw new ExportDiffers('what was read does not add up to the totals', differences);
  return bytes.result();
}
