import type { ListShape } from '../../../src/ledger/list/list-shape.ts';

const BOTH = [false, true];

/** Every shape of a list query. */
export const LIST_SHAPES: readonly ListShape[] = BOTH.flatMap((merchantReference) =>
  BOTH.flatMap((status) =>
    BOTH.flatMap((currency) =>
      BOTH.flatMap((from) =>
        (['open', 'before', 'after'] as const).map((end) => ({
          merchantReference,
          status,
          currency,
          from,
          end,
        })),
      ),
    ),
  ),
);
