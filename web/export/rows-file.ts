import { Export } from '../../client/src/export.ts';
import { exportedTransactions } from '../../client/src/export-items.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import { createSend, type SendSettings } from '../../client/src/send.ts';
import { fetchTotals } from '../../client/src/totals.ts';
import { type Api, connect, type Transaction } from '../state/api.ts';
import { exportFilters, type FileOrder } from '../state/file-order.ts';
import { type Left, loadLeft } from '../state/left.ts';
import { nextTurn } from '../state/next-turn.ts';
import { queryOf } from '../state/route.ts';
import { type FileContent, type FinishedFile, TooManyRows } from './file-content.ts';
import { FileParts } from './file-parts.ts';
import { columnsOf, csvColumns, csvLine } from './found-file.ts';
import { RowTotals } from './row-totals.ts';
import { Spreadsheet } from './spreadsheet.ts';

const AT_ONCE = 200;

export interface RowsWriter {
  maxRows: number;
  /** Returns true if the call took some milliseconds. The caller then lets the browser react. */
  add(transaction: Transaction, left: Left | undefined): boolean;
  end(file: Omit<FinishedFile, 'content'>): Promise<Blob>;
}

export function madeFile(
  settings: SendSettings,
  account: string,
  order: FileOrder,
  signal: AbortSignal,
): FileContent {
  const newWriter = (): RowsWriter =>
    order.format === 'csv' ? csvFile(order) : new Spreadsheet(account, order);
  let restarts = 0;
  let writer = newWriter();
  let totals = new RowTotals();
  let newest: Transaction[] = [];
  const onRestart = () => {
    restarts++;
    writer = newWriter();
    totals = new RowTotals();
    newest = [];
  };
  const query = { ...exportFilters(order), format: 'ndjson' } as const;
  const exported = new Export(settings, '/v1', query, { signal, onRestart }, exportedTransactions);
  const api = connect(settings.apiKey as string, {});
  const lefts = new Map<string, Left | undefined>();
  const write = async () => {
    const rows = newest.splice(0);
    if (order.extra?.left) await loadLefts(lefts, api, rows, signal);
    for (const row of rows) if (writer.add(row, lefts.get(row.relatedTo ?? ''))) await nextTurn();
  };
  return {
    exported,
    get restarts() {
      return restarts;
    },
    // Throws: TooManyRows.
    read: async () => {
      const known = await countRows(settings, order, signal);
      if (known > writer.maxRows) throw new TooManyRows(known);
      for await (const transaction of exported) {
        const { expectedRows } = exported;
        if (Math.max(totals.rows + 1, expectedRows ?? 0) > writer.maxRows)
          throw new TooManyRows(expectedRows);
        totals.add(transaction);
        newest.push(transaction);
        if (newest.length === AT_ONCE) await write();
      }
      await write();
    },
    end: async () => {
      const { rows, data, net } = totals;
      const file = { manifest: exported.manifest as ExportManifest, rows, totals: data, net };
      return { ...file, content: await writer.end(file) };
    },
  };
}

/** Returns 0 if the totals cannot be read. */
async function countRows(settings: SendSettings, { filter, zone }: FileOrder, signal: AbortSignal) {
  const reading = fetchTotals(createSend(settings), '/v1', queryOf(filter, zone), { signal });
  const { data } = await reading.catch(() => ({ data: [] }));
  return data.reduce((sum, { count }) => sum + count, 0);
}

const REQUESTS_AT_ONCE = 6;

async function loadLefts(
  lefts: Map<string, Left | undefined>,
  api: Api,
  rows: readonly Transaction[],
  signal: AbortSignal,
): Promise<void> {
  const related = new Set(rows.map(({ relatedTo }) => relatedTo).filter((one) => one !== undefined));
  const next = [...related].filter((reference) => !lefts.has(reference)).values();
  const work = async () => {
    for (const reference of next) lefts.set(reference, await loadLeft(api, reference, signal));
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
}

function csvFile({ zone, extra }: FileOrder): RowsWriter {
  const columns = [...csvColumns(zone), ...columnsOf(extra?.fields ?? [])];
  const parts = new FileParts('text/csv;charset=utf-8');
  const encoder = new TextEncoder();
  const write = (...cells: string[]) => parts.add(encoder.encode(`${cells.join(',')}\r\n`));
  write(...columns.map(([name]) => name), 'leftOfPayment', 'leftOfPaymentCurrencyCode');
  return {
    maxRows: Number.POSITIVE_INFINITY,
    add: (transaction, left) => {
      write(csvLine(columns, transaction), left?.amount ?? '', left?.currencyCode ?? '');
      return false;
    },
    end: async () => parts.content(),
  };
}
