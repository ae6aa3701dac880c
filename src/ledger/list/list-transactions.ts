import type { Archive, ArchiveReader } from '../archives/archive.ts';
import type { Transaction } from '../transaction.ts';
import type { ListQuery, Position, TransactionLister } from './list-query.ts';

export const PAGE_SIZE = 10;

export interface TransactionPage {
  /** At most PAGE_SIZE transactions: newest createdAt first, then reference descending by bytes. */
  transactions: Transaction[];
  /** The position after which the next page begins, or null on the last page. */
  next: Position | null;
  /** The archive of the account, which the page can lack transactions of. */
  archive: Pick<Archive, 'beforeMs'> | undefined;
}

/**
 * One page of an account's transactions.
 *
 * One more transaction than a page is read: if it exists, there is another page, and nothing is counted.
 */
export async function listTransactions(
  store: TransactionLister & ArchiveReader,
  query: ListQuery,
): Promise<TransactionPage> {
  const { transactions, logPosition, archivedBeforeMs } = await store.listTransactions(query, PAGE_SIZE + 1);
  const archive =
    archivedBeforeMs === undefined
      ? await store.readArchive(query.account)
      : archivedBeforeMs === null
        ? undefined
        : { beforeMs: archivedBeforeMs };
  if (transactions.length <= PAGE_SIZE) return { transactions, next: null, archive };
  transactions.length = PAGE_SIZE;
  const { createdAtMs, reference } = transactions[PAGE_SIZE - 1] as Transaction;
  return {
    transactions,
    next: { createdAtMs, reference, ...(logPosition !== undefined && { logPosition }) },
    archive,
  };
}
