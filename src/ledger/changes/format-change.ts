import { formatTimestamp } from '../../values/calendar.ts';
import { formatTransaction } from '../transaction.ts';
import type { Change } from './change.ts';

/** What a change is, such as `transaction.completed`: the transaction took this status. */
export const changeType = ({ transaction }: Change): string => `transaction.${transaction.status}`;

/** A change as responses and webhooks show it. */
export function formatChange(change: Change) {
  return {
    sequence: change.sequence,
    type: changeType(change),
    previousStatus: change.previousStatus,
    recordedAt: formatTimestamp(change.recordedAtMs),
    transaction: formatTransaction(change.transaction),
  };
}
