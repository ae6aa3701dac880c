import { TransactionsTable } from '../parts/transactions-table.tsx';
import type { Transaction } from '../state/api.ts';
import { texts } from '../text/language.ts';

interface FoundTableProps {
  transactions: readonly Transaction[];
  /** The words that were searched for. */
  words?: readonly string[];
}

export const FoundTable = (props: FoundTableProps) => (
  <TransactionsTable {...props} caption={texts.$foundCaption} isLoading={false} />
);
