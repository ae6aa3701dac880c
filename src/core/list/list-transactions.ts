import type { TransactionLister } from '../store.ts';
import type { Transaction } from '../transaction.ts';
import type { ListQuery, Position } from './list-query.ts';

export const PAGE_SIZE = 10;

export interface Page {
  /** At most PAGE_SIZE transactions: newest createdAt first, then reference descending by bytes. */
  transactions: Transaction[];
  /** Where the next page begins, or null on the last one. */
  next: Position | null;
}

/**
 * One page of an account's transactions.
 *
 * One transaction more than a page is read, which tells whether another page exists without counting.
 */
export async function listTransactions(store: TransactionLister, question: ListQuery): Promise<Page> {
  const { transactions, logPosition } = await store.listTransactions(question, PAGE_SIZE + 1);
  if (transactions.length <= PAGE_SIZE) return { transactions, next: null };
  transactions.length = PAGE_SIZE;
  const { createdAtMs, reference } = transactions[PAGE_SIZE - 1] as Transaction;
  return {
    transactions,
    next: { createdAtMs, reference, ...(logPosition !== undefined && { logPosition }) },
  };
}
