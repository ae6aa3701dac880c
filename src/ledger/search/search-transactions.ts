import { MAX_FOUND } from '../../../values/interface/limits.ts';
import type { Position } from '../list/list.ts';
import { positionOf, type Transaction } from '../transaction.ts';
import type { SearchQuery, TransactionSearcher } from './search.ts';

export const MAX_COMPARED_BY_SEARCH = 20_000;
const COMPARED_AT_ONCE = 2000;
/** A search begins with a step of only 7 transactions (2000 / 2^8), because their texts can be long. */
const MAX_HALVINGS = 8;
/**
 * If a step takes 10 ms more than the quickest step, the next step compares half as many transactions.
 * Otherwise, it compares twice as many.
 */
const QUICK_MS = 10;
/** After this time, a request returns what it has found, so that its caller sees the progress. */
const MAX_MS = 500;

export interface Found {
  transactions: Transaction[];
  next: Position | null;
}

interface SearchOptions {
  monotonicMs: () => number;
  gone: AbortSignal;
}

const lengthOf = (halvings: number) => COMPARED_AT_ONCE >> halvings;

/** An empty result can have a `next`, if older transactions have not been compared yet. */
export async function searchTransactions(
  searcher: TransactionSearcher,
  query: SearchQuery,
  { monotonicMs, gone }: SearchOptions,
): Promise<Found> {
  const endMs = monotonicMs() + MAX_MS;
  const transactions: Transaction[] = [];
  let next: Position | null = query.after;
  let halvings = MAX_HALVINGS;
  let quickestMs = Number.POSITIVE_INFINITY;
  let left = MAX_COMPARED_BY_SEARCH;
  for (let length = lengthOf(halvings); length <= left; length = lengthOf(halvings)) {
    gone.throwIfAborted();
    const startMs = monotonicMs();
    const step = await searcher.searchTransactions({ ...query, after: next }, length);
    const tookMs = monotonicMs() - startMs;
    left -= length;
    quickestMs = Math.min(quickestMs, tookMs);
    halvings =
      tookMs < quickestMs + QUICK_MS ? Math.max(halvings - 1, 0) : Math.min(halvings + 1, MAX_HALVINGS);
    transactions.push(...step.transactions);
    next = step.end;
    if (transactions.length > MAX_FOUND) {
      transactions.length = MAX_FOUND;
      return { transactions, next: positionOf(transactions[MAX_FOUND - 1] as Transaction) };
    }
    if (next === null || monotonicMs() >= endMs) break;
  }
  return { transactions, next: next && positionOf(next) };
}
