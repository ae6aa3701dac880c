import { capability } from '../../capability.ts';
import { listRelated } from './http/list-related.ts';
import { listTransactions } from './http/list-transactions.ts';
import { retrieveTransaction } from './http/retrieve-transaction.ts';

/** The list of transactions, and single ones. */
export const LIST = capability({
  operations: [listTransactions, retrieveTransaction, listRelated],
});
