import type { Change, ChangeQuery, ChangeResult } from './change.ts';
import { changeId } from './change-id.ts';

/** How many changes a store reads for a query: those after `after`, and the one at it. */
export const rowsOf = ({ after, limit }: ChangeQuery): number => (after === 0 ? limit : limit + 1);

/** The result of a query, from the changes at and after its number. */
export function resultOf({ after }: ChangeQuery, read: Change[], headSequence: number): ChangeResult {
  const last = after > 0 && read[0]?.sequence === after ? read.shift() : undefined;
  return { last, changes: read, headSequence };
}

/** Whether the change at `after` is the one that the caller knows, if it knows one. */
export const isOfHistory = (
  { account, afterId }: Pick<ChangeQuery, 'account' | 'afterId'>,
  { last }: Pick<ChangeResult, 'last'>,
): boolean => afterId === undefined || (last !== undefined && changeId(account, last) === afterId);
