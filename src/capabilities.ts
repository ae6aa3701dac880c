import type { Registry } from '@prometheus-io/client';
import { listAccountsOperation } from './accounts/http/list-accounts.ts';
import type { Operation } from './http/operations/operation.ts';
import { createKeyMetrics } from './keys/http/key-metrics.ts';
import { KEY_OPERATIONS } from './keys/http/operations.ts';
import { SESSION_OPERATIONS } from './keys/http/session-operations.ts';
import { removeExpiredSessions } from './keys/session.ts';
import { createChangeMetrics } from './ledger/changes/http/change-metrics.ts';
import { CHANGE_OPERATIONS } from './ledger/changes/http/operations.ts';
import { EXPORT_LIFETIME_MS, type ExportStore } from './ledger/exports/export.ts';
import { createExportMetrics } from './ledger/exports/http/export-metrics.ts';
import { EXPORT_OPERATIONS } from './ledger/exports/http/operations.ts';
import { LIST_OPERATIONS } from './ledger/list/http/operations.ts';
import { RECORD_OPERATIONS } from './ledger/record/http/operations.ts';
import { readSealOperation } from './ledger/seals/http/read-seal.ts';
import { createSealMetrics } from './ledger/seals/http/seal-metrics.ts';
import { searchTransactionsOperation } from './ledger/search/http/search-transactions.ts';
import { readTotalsOperation } from './ledger/totals/http/read-totals.ts';
import { createStaffMetrics } from './staff/http/staff-metrics.ts';
import { WEBHOOK_OPERATIONS } from './webhooks/http/operations.ts';
import { createWebhookMetrics } from './webhooks/http/webhook-metrics.ts';

interface Capability {
  operations: readonly Operation<never>[];
  metrics?: (registers: Registry[]) => object;
  expiring?: {
    name: string;
    /** `operator`: only instances with the operator's listener remove the rows. */
    on: 'all' | 'operator';
    remove(store: never, nowMs: number, signal: AbortSignal): Promise<unknown>;
  };
}

/** The OpenAPI documents list the operations in this order. */
export const CAPABILITIES = [
  { operations: LIST_OPERATIONS },
  { operations: [searchTransactionsOperation] },
  { operations: CHANGE_OPERATIONS, metrics: createChangeMetrics },
  { operations: [readSealOperation], metrics: createSealMetrics },
  { operations: [readTotalsOperation] },
  {
    operations: EXPORT_OPERATIONS,
    metrics: createExportMetrics,
    expiring: {
      name: 'exports',
      on: 'all',
      remove: (store: Pick<ExportStore, 'removeExpiredExports'>, nowMs: number) =>
        store.removeExpiredExports(nowMs - EXPORT_LIFETIME_MS),
    },
  },
  { operations: WEBHOOK_OPERATIONS, metrics: createWebhookMetrics },
  { operations: RECORD_OPERATIONS },
  {
    operations: [...KEY_OPERATIONS, ...SESSION_OPERATIONS],
    metrics: createKeyMetrics,
    expiring: { name: 'sessions', on: 'operator', remove: removeExpiredSessions },
  },
  { operations: [listAccountsOperation] },
  { operations: [], metrics: createStaffMetrics },
] as const satisfies readonly Capability[];
