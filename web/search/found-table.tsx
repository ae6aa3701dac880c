import { TransactionsTable } from '../parts/transactions-table.tsx';
import type { Transaction } from '../state/api.ts';

interface FoundTableProps {
  transactions: readonly Transaction[];
  /** The words that were searched for. */
  words?: readonly string[];
}

export const FoundTable = (props: FoundTableProps) => (
  <TransactionsTable {...props} caption="Transactions that were found" isLoading={false} />
);
