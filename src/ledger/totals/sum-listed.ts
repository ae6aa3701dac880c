import { runToTheEnd } from '../../../values/long-read.ts';
import type { Position } from '../list/list.ts';
import {
  type ListedSum,
  type ListedSummer,
  type ListedSumQuery,
  type ReadTotalsOptions,
  type Total,
  TotalsSum,
} from './total.ts';

/** This number of reads is quick, so they need no slot among the long reads. */
const QUICK_READS = 4;

interface SumListedOptions extends ReadTotalsOptions {
  onRead?: (sum: ListedSum) => void;
  /** The day of the totals for the part of paidAt that begins at `startMs`. */
  dayOfPart?: (startMs: number) => number;
}

/**
 * The totals of an account's transactions up to a sequence number, counted in many short reads. The reads
 * need no common snapshot, because a change never changes.
 */
export async function sumAllListed(
  store: ListedSummer,
  query: ListedSumQuery,
  { runLong = runToTheEnd, onRead, dayOfPart }: SumListedOptions = {},
): Promise<Total[]> {
  const sum = new TotalsSum();
  const read = async (after: Position | null) => {
    const some = await store.sumListed(query, after);
    for (const { partStartMs, ...total } of some.totals)
      sum.add({ ...total, day: partStartMs === null ? null : (dayOfPart?.(partStartMs) ?? null) });
    onRead?.(some);
    return some.next;
  };
  let next = await read(null);
  for (let reads = 1; next !== null && reads < QUICK_READS; reads++) next = await read(next);
  if (next === null) return sum.list();
  return runLong(async (gone) => {
    for (let after: Position | null = next; after !== null; after = await read(after)) gone.throwIfAborted();
    return sum.list();
  });
}
