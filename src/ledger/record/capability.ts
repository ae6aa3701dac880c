import { capability } from '../../capability.ts';
import { createTransactionOperation } from './http/create-transaction.ts';
import { recordBatchOperation } from './http/record-batch.ts';
import { recordTransactionOperation } from './http/record-transaction.ts';
import { removeDetailsOperation } from './http/remove-details.ts';

export const RECORD = capability({
  operations: [
    recordTransactionOperation,
    createTransactionOperation,
    recordBatchOperation,
    removeDetailsOperation,
  ],
});
