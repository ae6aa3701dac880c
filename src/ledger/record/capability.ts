import { capability } from '../../capability.ts';
import { createTransaction } from './http/create-transaction.ts';
import { recordBatch } from './http/record-batch.ts';
import { recordTransaction } from './http/record-transaction.ts';
import { removeDetails } from './http/remove-details.ts';

/** Recording transactions. */
export const RECORD = capability({
  operations: [recordTransaction, createTransaction, recordBatch, removeDetails],
});
