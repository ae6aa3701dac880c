import { Export } from '../../client/src/export.ts';
import { exportedTransactions } from '../../client/src/export-items.ts';
import type { ExportedTransaction, ExportFilters, ExportManifest } from '../../client/src/export-manifest.ts';
import { settingsOf } from './settings.ts';

/** `all` is null while the total is unknown. */
export type OnProgress = (count: number, all: number | null) => void;

const REPORT_MS = 150;
const RETRIES = { maxRetries: 3 };

interface ReadEvents {
  onRestart(): void;
  onEnd(manifest: ExportManifest): void;
}

/** If the export breaks off, calls `onRestart` and starts from the beginning. */
export async function* readExport(
  apiKey: string,
  query: ExportFilters & { recordedAt?: boolean },
  signal: AbortSignal,
  onProgress: OnProgress,
  { onRestart, onEnd }: ReadEvents,
): AsyncGenerator<ExportedTransaction> {
  const exported = new Export(
    settingsOf(apiKey, RETRIES),
    '/v1',
    { ...query, format: 'ndjson' },
    { signal, onRestart },
    exportedTransactions,
  );
  let reportedAtMs = 0;
  for await (const transaction of exported) {
    yield transaction;
    if (performance.now() - reportedAtMs < REPORT_MS) continue;
    reportedAtMs = performance.now();
    onProgress(exported.rows, exported.expectedRows);
  }
  onEnd(exported.manifest as ExportManifest);
}
