import { listAccounts } from '../accounts/http/list-accounts.ts';
import type { Operation } from '../http/operations/operation.ts';
import { KEY_OPERATIONS, retrieveKey } from '../keys/http/operations.ts';
import { SESSION_OPERATIONS } from '../keys/http/session-operations.ts';
import { listChanges } from '../ledger/changes/http/list-changes.ts';
import { listTransactionChanges } from '../ledger/changes/http/list-transaction-changes.ts';
import { exportCsv, exportNdjson } from '../ledger/exports/http/export-transactions.ts';
import { retrieveExport } from '../ledger/exports/http/retrieve-export.ts';
import { listRelated } from '../ledger/list/http/list-related.ts';
import { listTransactions } from '../ledger/list/http/list-transactions.ts';
import { retrieveTransaction } from '../ledger/list/http/retrieve-transaction.ts';
import { createTransaction } from '../ledger/record/http/create-transaction.ts';
import { recordBatch } from '../ledger/record/http/record-batch.ts';
import { recordTransaction } from '../ledger/record/http/record-transaction.ts';
import { removeDetails } from '../ledger/record/http/remove-details.ts';
import { readSeal } from '../ledger/seals/http/read-seal.ts';
import { searchTransactions } from '../ledger/search/http/search-transactions.ts';
import { readTotals } from '../ledger/totals/http/read-totals.ts';
import { serveMcp } from '../mcp/http/serve-mcp.ts';
import { WEBHOOK_OPERATIONS } from '../webhooks/http/operations.ts';
import type { ServiceContext } from './context.ts';
import { HEALTH_OPERATIONS } from './health.ts';

const CALLED: readonly Operation<ServiceContext>[] = [
  recordTransaction,
  createTransaction,
  recordBatch,
  removeDetails,
  ...KEY_OPERATIONS,
  ...SESSION_OPERATIONS,
  listAccounts,
  listTransactions,
  retrieveTransaction,
  listRelated,
  searchTransactions,
  listTransactionChanges,
  retrieveKey,
  listChanges,
  readSeal,
  readTotals,
  exportCsv,
  exportNdjson,
  retrieveExport,
  ...WEBHOOK_OPERATIONS,
  ...HEALTH_OPERATIONS,
];

/** Every operation of the service, in the order of the OpenAPI documents. */
export const OPERATIONS: readonly Operation<ServiceContext>[] = [...CALLED, serveMcp(CALLED)];
