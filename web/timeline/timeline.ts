import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { sendSettings } from '../../client/src/client-options.ts';
import { createSend } from '../../client/src/send.ts';
import { fetchTransactionChanges } from '../../client/src/transaction-changes.ts';
import { FailureText } from '../parts/failure-panel.ts';
import { RetryNotice } from '../parts/retry-notice.ts';
import { Timestamp } from '../parts/timestamp.ts';
import type { Transaction } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { useLoad } from '../state/use-load.ts';
import { number } from '../text/count.ts';
import { eventsOf } from './events.ts';

interface TimelineProps {
  apiKey: string;
  transaction: Transaction;
  zone: string;
  onFailure(failure: Failure): void;
}

/** When a transaction was created and paid, and when the service learned of it, with its place in the change feed. */
export function Timeline({ apiKey, transaction, zone, onFailure }: TimelineProps) {
  const { reference, status } = transaction;
  const send = useMemo(
    () => createSend(sendSettings({ url: location.origin, apiKey, maxRetries: 1, maxRetryAfterMs: 2000 })),
    [apiKey],
  );
  const { loaded, reload } = useLoad(
    `${reference} ${status}`,
    (signal) => fetchTransactionChanges(send, reference, { signal }),
    onFailure,
  );
  return h(
    'section',
    { class: 'card timeline', 'aria-labelledby': 'timeline', 'aria-busy': loaded.state === 'loading' },
    h('h2', { id: 'timeline' }, 'Timeline'),
    loaded.state === 'failed' && [
      h('p', null, `The changes could not be loaded: ${loaded.failure.title}`),
      h(FailureText, { failure: loaded.failure }),
      loaded.retry && h(RetryNotice, { retry: loaded.retry }),
      h('button', { type: 'button', class: 'button', onClick: reload }, 'Load the timeline again'),
    ],
    loaded.state === 'loaded' &&
      h(
        'ol',
        null,
        eventsOf(transaction, loaded.value).map(({ name, at, sequence }) =>
          h(
            'li',
            { key: `${name}${at}`, class: sequence === null ? 'event' : 'event event-recorded' },
            h('span', { class: 'event-name' }, name),
            h(Timestamp, { timestamp: at, zone, isWhole: true }),
            sequence !== null &&
              h('span', { class: 'event-change' }, `change ${number(sequence)} of the account`),
          ),
        ),
      ),
  );
}
