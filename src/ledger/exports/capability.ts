import { capability } from '../../capability.ts';
import { EXPORT_LIFETIME_MS, type ExportStore } from './export.ts';
import { createExportMetrics } from './http/export-metrics.ts';
import { exportCsvOperation, exportNdjsonOperation } from './http/export-transactions.ts';
import { retrieveExportOperation } from './http/retrieve-export.ts';

export const EXPORTS = capability({
  operations: [exportCsvOperation, exportNdjsonOperation, retrieveExportOperation],
  metrics: createExportMetrics,
  expiring: {
    name: 'exports',
    on: 'all',
    remove: (store: Pick<ExportStore, 'removeExpiredExports'>, nowMs) =>
      store.removeExpiredExports(nowMs - EXPORT_LIFETIME_MS),
  },
});
