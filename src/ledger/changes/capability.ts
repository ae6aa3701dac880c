import { capability } from '../../capability.ts';
import { createChangeMetrics } from './http/change-metrics.ts';
import { listChangesOperation } from './http/list-changes.ts';
import { listTransactionChangesOperation } from './http/list-transaction-changes.ts';

/** The feed of changes, and the changes of a transaction. */
export const CHANGES = capability({
  operations: [listTransactionChangesOperation, listChangesOperation],
  metrics: createChangeMetrics,
});
