import { Export, FILE_ITEMS } from '../../client/src/export.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import type { SendSettings } from '../../client/src/send.ts';
import { partNotLoaded } from '../state/api.ts';
import type { FileOrder } from '../state/file-order.ts';
import type { FileContent } from './file-content.ts';
import { FileParts } from './file-parts.ts';

/**
 * What an order saves. The bytes of a CSV file are those of the export; the code of other files is loaded when one is ordered.
 *
 * Throws: PartNotLoaded
 */
export async function openFile(
  settings: SendSettings,
  account: string,
  order: FileOrder,
  signal: AbortSignal,
): Promise<FileContent> {
  if (order.format === 'csv' && order.month === undefined) return exportedFile(settings, order, signal);
  try {
    const [{ RowsFile }, writer] = await Promise.all([import('./rows-file.ts'), writerOf(account, order)]);
    return new RowsFile(settings, order, writer, signal);
  } catch (error) {
    throw await partNotLoaded(error);
  }
}

async function writerOf(account: string, order: FileOrder) {
  if (order.format === 'csv') return new (await import('./csv-rows.ts')).CsvRows();
  return new (await import('./spreadsheet.ts')).Spreadsheet(account, order);
}

function exportedFile(settings: SendSettings, { filter }: FileOrder, signal: AbortSignal): FileContent {
  const query = { ...filter, format: 'csv', spreadsheet: true } as const;
  const exported = new Export(settings, query, { signal }, FILE_ITEMS);
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
