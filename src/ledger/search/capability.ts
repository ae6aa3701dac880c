import { capability } from '../../capability.ts';
import { searchTransactions } from './http/search-transactions.ts';

/** Searching for transactions. */
export const SEARCH = capability({
  operations: [searchTransactions],
});
