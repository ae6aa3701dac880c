import { MAX_FOUND } from '../../../values/interface/limits.ts';
import type { Position } from '../list/list.ts';
import type { Transaction } from '../transaction.ts';
import type { SearchQuery, TransactionSearcher } from './search.ts';

/** The most transactions that a request compares. */
export const MAX_COMPARED_BY_SEARCH = 20_000;
/**
 * The most transactions that one step compares. After each step, another search gets a turn, and a search
 * whose caller is gone ends. Long texts can take a thousand times as long as short ones. So a search begins
 * with few transactions. A quick step doubles their number, and a slow step halves it.
 */
const COMPARED_AT_ONCE = 2000;
/**
 * The number in the first step is COMPARED_AT_ONCE, halved this many times. Halving keeps the number of
 * prepared statements small: databases prepare one for each length.
 */
const MAX_HALVINGS = 8;
/**
 * A step is quick if it takes at most this much longer than the search's quickest step. A fixed limit would
 * not do, because a distant database slows all steps.
 */
const QUICK_MS = 10;
/** How long a request searches. Then it returns what it has found, so that its caller sees the progress. */
const MAX_MS = 500;

export interface Found {
  /** Newest first, at most MAX_FOUND. */
  transactions: Transaction[];
  /** The transaction after which the search continues, or null if every transaction was compared. */
  next: Position | null;
}

interface SearchOptions {
  monotonicMs: () => number;
  /** The search ends when this signal aborts, with the reason of the signal. */
  gone: AbortSignal;
}

const lengthOf = (halvings: number) => COMPARED_AT_ONCE >> halvings;

/**
 * The next transactions that match, newest first. A request compares a limited number of transactions, so it
 * can find none even if older ones match.
 *
 * The position is a transaction, not a count. So a search neither repeats nor skips transactions when others
 * are recorded meanwhile.
 */
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
      const { createdAtMs, reference } = transactions[MAX_FOUND - 1] as Transaction;
      return { transactions, next: { createdAtMs, reference } };
    }
    if (next === null || monotonicMs() >= endMs) break;
  }
  return { transactions, next: next && { createdAtMs: next.createdAtMs, reference: next.reference } };
}
