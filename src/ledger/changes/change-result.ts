import type { Change, ChangeQuery, ChangeResult, NumberedNonce } from './change.ts';
import { changeId } from './change-id.ts';

/** How many changes a store reads for a query: those after `after`, and the one at it. */
export const rowsToRead = ({ after, limit }: ChangeQuery): number => (after === 0 ? limit : limit + 1);

/** The nonce of an archived change below the floor: no commit draws it. */
export const ARCHIVED_NONCE = -1;

/** The result of a query, from the changes at and after its number. `floor` is the change at the floor of the account, if it has one. */
export function changeResultOf(
  { after, limit }: ChangeQuery,
  read: Change[],
  headSequence: number,
  floor: NumberedNonce | undefined,
): ChangeResult {
  const found = after > 0 && read[0]?.sequence === after ? read.shift() : undefined;
  return {
    last: found ?? (floor?.sequence === after ? floor : undefined),
    changes: read.slice(0, limit),
    headSequence,
    floorSequence: floor?.sequence ?? 0,
  };
}

/** Whether the change at `after` is the one that the caller knows, if it knows one. */
export const isOfHistory = (
  { account, afterId }: Pick<ChangeQuery, 'account' | 'afterId'>,
  { last }: Pick<ChangeResult, 'last'>,
): boolean => afterId === undefined || (last !== undefined && changeId(account, last) === afterId);
