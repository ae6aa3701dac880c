import { capability } from '../../capability.ts';
import { searchTransactionsOperation } from './http/search-transactions.ts';

export const SEARCH = capability({
  operations: [searchTransactionsOperation],
});
