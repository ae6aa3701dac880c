import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';
import { readTransactionRow } from '../transaction.ts';
import { NEWEST, type RelatedLister, type TransactionRetriever } from './list.ts';

const sql = statementsOf(new URL('./read-transactions.sql', import.meta.url));
export const RETRIEVE = sql('retrieveTransaction', readTransactionRow);
export const NEXT_STATUS = sql('readNextStatus');
const LIST_RELATED = sql('listRelated', readTransactionRow);

export const transactionRetriever = (db: Db): TransactionRetriever => ({
  retrieveTransaction: async (account, reference) => (await db.read(RETRIEVE, { account, reference }))[0],
});

export const relatedLister = (db: Db): RelatedLister => ({
  listRelated: (account, relatedTo, after, limit) => {
    const { createdAtMs: afterMs, reference: afterReference } = after ?? NEWEST;
    return db.read(LIST_RELATED, { account, relatedTo, afterMs, afterReference, limit });
  },
});
