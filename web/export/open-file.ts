import { Export } from '../../client/src/export.ts';
import { FILE_ITEMS } from '../../client/src/export-items.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import type { SendSettings } from '../../client/src/send.ts';
import { exportFilters, type FileOrder } from '../state/file-order.ts';
import type { FileContent } from './file-content.ts';
import { FileParts } from './file-parts.ts';
import { RowsFile } from './rows-file.ts';
import { Spreadsheet } from './spreadsheet.ts';

/** What an order saves. The bytes of a CSV file are those of the export. */
export function openFile(
  settings: SendSettings,
  account: string,
  order: FileOrder,
  signal: AbortSignal,
): FileContent {
  if (order.format === 'csv') return exportedFile(settings, order, signal);
  return new RowsFile(settings, order, new Spreadsheet(account, order), signal);
}

function exportedFile(settings: SendSettings, order: FileOrder, signal: AbortSignal): FileContent {
  const query = { ...exportFilters(order), ...order.extra, format: 'csv', spreadsheet: true } as const;
  const exported = new Export(settings, '/v1', query, { signal }, FILE_ITEMS);
  const parts = new FileParts('text/csv;charset=utf-8');
  return {
    exported,
    read: async () => {
      for await (const bytes of exported) parts.add(bytes);
    },
    end: () => {
      const manifest = exported.manifest as ExportManifest;
      const { totals } = manifest;
      return { content: parts.content(), manifest, rows: manifest.rows as number, totals };
    },
  };
}
