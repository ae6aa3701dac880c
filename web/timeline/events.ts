import type { Change } from '../../client/src/change.ts';
import type { Transaction } from '../state/api.ts';
import { statusText } from '../text/status.ts';

/** A moment in the life of a transaction. */
interface TimelineEvent {
  name: string;
  at: string;
  /** The sequence number of the change, for what the service recorded. */
  sequence: number | null;
}

/** What happened to a transaction, oldest first. At the same time, creation and payment come before what the service recorded. */
export function eventsOf({ createdAt, paidAt }: Transaction, changes: readonly Change[]): TimelineEvent[] {
  const events: TimelineEvent[] = [
    { name: 'Created', at: createdAt, sequence: null },
    ...(paidAt === null ? [] : [{ name: 'Paid', at: paidAt, sequence: null }]),
    ...changes.map(({ recordedAt, sequence, previousStatus, transaction }) => ({
      name: `${previousStatus === null ? 'Recorded here as' : 'Changed here to'} ${statusText(transaction.status).toLowerCase()}`,
      at: recordedAt,
      sequence,
    })),
  ];
  // Timestamps of the service have one form, so their order as texts is that of the times.
  return events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : (a.sequence ?? 0) - (b.sequence ?? 0)));
}
