import { capability } from '../../capability.ts';
import { listRelatedOperation } from './http/list-related.ts';
import { listTransactionsOperation } from './http/list-transactions.ts';
import { retrieveTransactionOperation } from './http/retrieve-transaction.ts';

export const LIST = capability({
  operations: [listTransactionsOperation, retrieveTransactionOperation, listRelatedOperation],
});
