import { h } from 'preact';
import { TransactionsTable } from '../parts/transactions-table.ts';
import type { Transaction } from '../state/api.ts';

interface FoundTableProps {
  transactions: readonly Transaction[];
  zone: string;
}

export const FoundTable = ({ transactions, zone }: FoundTableProps) =>
  h(TransactionsTable, {
    transactions,
    zone,
    caption: 'Transactions that were found',
    isLoading: false,
  });
