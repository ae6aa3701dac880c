import { TransactionsTable } from '../parts/transactions-table.tsx';
import type { Transaction } from '../state/api.ts';

interface FoundTableProps {
  transactions: readonly Transaction[];
  zone: string;
}

export const FoundTable = ({ transactions, zone }: FoundTableProps) => (
  <TransactionsTable
    transactions={transactions}
    zone={zone}
    caption="Transactions that were found"
    isLoading={false}
  />
);
