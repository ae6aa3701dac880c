import { capability } from '../../capability.ts';
import { EXPORT_LIFETIME_MS, type ExportStore } from './export.ts';
import { createExportMetrics } from './http/export-metrics.ts';
import { exportCsv, exportNdjson } from './http/export-transactions.ts';
import { retrieveExport } from './http/retrieve-export.ts';

/** Exports of transactions as files. */
export const EXPORTS = capability({
  operations: [exportCsv, exportNdjson, retrieveExport],
  metrics: createExportMetrics,
  expiring: {
    name: 'exports',
    on: 'each',
    remove: (store: Pick<ExportStore, 'removeExpiredExports'>, nowMs, { server }) =>
      store.removeExpiredExports(nowMs - EXPORT_LIFETIME_MS, server),
  },
});
