import { createHash } from 'node:crypto';
import { TotalsSum, totalsDifferences } from '../totals/total.ts';
import { type Export, ExportDiffers, type ExportResult } from './export.ts';
import { csvHeader, lineFormatter } from './export-lines.ts';
import { type ExportReader, type ExportTurns, readExportRows } from './read-export-rows.ts';
import { filterMatcher, recordedTimes, transactionUpTo } from './transaction-up-to.ts';

const PIECE_CHARACTERS = 65_536;

/** Each piece overwrites the piece before it. Throws: ExportDiffers if rows and totals differ. */
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

const MAX_BYTES_PER_CHARACTER = 3;

class ExportBytes {
  #text: string;
  #rows = 0;
  #bytes = 0;
  readonly #hash = createHash('sha256');

  /** All pieces share this buffer. A new buffer for each piece would have to be garbage-collected. */
  #memory = Buffer.alloc(0);

  constructor(header: string) {
    this.#text = header;
  }

  get collected(): number {
    return this.#text.length;
  }

  add(line: string): void {
    this.#text += line;
    this.#rows++;
  }

  take(): Uint8Array {
    const mostBytes = this.#text.length * MAX_BYTES_PER_CHARACTER;
    if (this.#memory.length < mostBytes) this.#memory = Buffer.allocUnsafeSlow(mostBytes);
    const bytes = this.#memory.subarray(0, this.#memory.write(this.#text));
    this.#text = '';
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    return bytes;
  }

  result(): Omit<ExportResult, 'finishedAtMs'> {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
