import type { Example } from '../../../http/schemas/responses.ts';
import { formatTimestamp } from '../../../values/calendar.ts';
import { COMPLETED_EXAMPLE, EXAMPLE_NOW_MS, PENDING_EXAMPLE } from '../../http/transaction-examples.ts';
import type { TransactionBody } from '../../http/transaction-schemas.ts';
import { changeId } from '../change.ts';
import type { ChangeBody, ChangePageBody } from './change-schemas.ts';

/** The transactions that the example account records in this order, one change and one commit each: the nonces are 1, 2 and 3. */
export const EXAMPLE_RECORDINGS: readonly TransactionBody[] = [
  PENDING_EXAMPLE,
  { ...COMPLETED_EXAMPLE, status: 'pending', paidAt: null },
  COMPLETED_EXAMPLE,
];

const changes = EXAMPLE_RECORDINGS.map(
  (transaction, index): ChangeBody => ({
    sequence: index + 1,
    id: changeId('store-1', { sequence: index + 1, nonce: index + 1 }),
    type: `transaction.${transaction.status}`,
    previousStatus: transaction === COMPLETED_EXAMPLE ? 'pending' : null,
    recordedAt: formatTimestamp(EXAMPLE_NOW_MS),
    transaction,
  }),
);

function page(after: number, data: ChangeBody[]): ChangePageBody {
  const lastSequence = data.at(-1)?.sequence ?? after;
  const lastId = changes[lastSequence - 1]?.id ?? null;
  return { data, lastSequence, lastId, headSequence: changes.length, hasMore: lastSequence < changes.length };
}

/** The responses to `GET /v1/changes?after=2`, to `limit=2` and to `after=3`. The first one ends a feed, for servers that imitate this one. */
export const CHANGE_EXAMPLES = {
  rest: { summary: 'The last changes of an account', value: page(2, changes.slice(2)) },
  first: { summary: 'The first changes of an account', value: page(0, changes.slice(0, 2)) },
  none: { summary: 'No more changes', value: page(3, []) },
} satisfies Record<string, Example>;

/** The changes of the completed example. */
export const TRANSACTION_CHANGES_EXAMPLES = {
  completed: {
    summary: 'A completed transaction',
    value: { data: changes.slice(1), nextCursor: null, hasMore: false },
  },
} satisfies Record<string, Example>;
