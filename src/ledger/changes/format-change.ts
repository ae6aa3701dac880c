import { formatTimestamp } from '../../values/calendar.ts';
import { formatTransaction } from '../transaction-fields.ts';
import type { Change } from './change.ts';
import { changeId } from './change-id.ts';

/** What a change is, such as `transaction.completed`: the transaction took this status. */
export const changeType = ({ transaction }: Change): string => `transaction.${transaction.status}`;

export type FormattedChange = ReturnType<typeof formatChange>;

/** A change of an account as responses and webhooks show it. */
export function formatChange(account: string, change: Change) {
  return {
    sequence: change.sequence,
    id: changeId(account, change),
    type: changeType(change),
    previousStatus: change.previousStatus,
    recordedAt: formatTimestamp(change.recordedAtMs),
    transaction: formatTransaction(change.transaction),
  };
}
