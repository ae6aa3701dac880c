import { h } from 'preact';
import { TransactionsTable } from '../parts/transactions-table.ts';
import type { Transaction } from '../state/api.ts';
import type { TimeZoneChoice } from '../text/time.ts';

interface FoundTableProps {
  transactions: readonly Transaction[];
  zone: TimeZoneChoice;
}

export const FoundTable = ({ transactions, zone }: FoundTableProps) =>
  h(TransactionsTable, {
    transactions,
    zone,
    caption: 'Transactions that were found, newest first',
    isLoading: false,
  });
