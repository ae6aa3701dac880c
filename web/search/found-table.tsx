import { TransactionsTable } from '../parts/transactions-table.tsx';
import type { Transaction } from '../state/api.ts';

interface FoundTableProps {
  transactions: readonly Transaction[];
}

export const FoundTable = ({ transactions }: FoundTableProps) => (
  <TransactionsTable transactions={transactions} caption="Transactions that were found" isLoading={false} />
);
