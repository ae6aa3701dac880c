import type { Position } from '../list/list.ts';
import type { Transaction } from '../transaction.ts';

type Placed = Pick<Transaction, 'createdAtMs' | 'reference'>;

/** Returns a number below 0 if `left` comes earlier in a list, above 0 if later. References are ASCII. */
export function compareInList(left: Placed, right: Placed): number {
  if (left.createdAtMs !== right.createdAtMs) return right.createdAtMs - left.createdAtMs;
  if (left.reference === right.reference) return 0;
  return left.reference > right.reference ? -1 : 1;
}

/** The position from which a list continues after a transaction. */
export const positionOf = ({ createdAtMs, reference }: Placed): Position => ({ createdAtMs, reference });
