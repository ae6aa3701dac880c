import { EQUALITY_FILTERS, type EqualityFilter } from '../../../src/ledger/list/list-filter.ts';
import type { ListShape } from '../../../src/ledger/list/list-shape.ts';

const BOTH = [false, true];
const ENDS = ['open', 'before', 'after'] as const;

/** Every combination of the filters by equality. */
const EQUALITIES = EQUALITY_FILTERS.reduce(
  (before, { name }) => before.flatMap((one) => BOTH.map((has) => ({ ...one, [name]: has }))),
  [{}],
) as Record<EqualityFilter, boolean>[];

/** Every shape of a list query. */
export const LIST_SHAPES: readonly ListShape[] = EQUALITIES.flatMap((equality) =>
  BOTH.flatMap((from) => ENDS.map((end) => ({ ...equality, from, end }))),
);
