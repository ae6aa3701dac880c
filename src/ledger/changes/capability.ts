import { capability } from '../../capability.ts';
import { createChangeMetrics } from './http/change-metrics.ts';
import { listChanges } from './http/list-changes.ts';
import { listTransactionChanges } from './http/list-transaction-changes.ts';

/** The feed of changes, and the changes of a transaction. */
export const CHANGES = capability({
  operations: [listTransactionChanges, listChanges],
  metrics: createChangeMetrics,
});
