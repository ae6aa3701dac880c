import { capability } from '../../capability.ts';
import { createChangeMetrics } from './http/change-metrics.ts';
import { listChangesOperation } from './http/list-changes.ts';
import { listTransactionChangesOperation } from './http/list-transaction-changes.ts';

export const CHANGES = capability({
  operations: [listTransactionChangesOperation, listChangesOperation],
  metrics: createChangeMetrics,
});
