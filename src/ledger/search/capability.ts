import { capability } from '../../capability.ts';
import { searchTransactionsOperation } from './http/search-transactions.ts';

/** Searching for transactions. */
export const SEARCH = capability({
  operations: [searchTransactionsOperation],
});
