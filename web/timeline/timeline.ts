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
import { statusText } from '../text/status.ts';

interface TimelineProps {
  apiKey: string;
  transaction: Transaction;
  zone: string;
  onFailure(failure: Failure): void;
}

/** When the service recorded a transaction and its change of status, with the numbers in the change feed. Of an import, that is long after the payment. */
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
    h('h2', { id: 'timeline' }, 'Recorded by the service'),
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
        loaded.value.map(({ recordedAt, sequence, previousStatus, transaction: recorded }) =>
          h(
            'li',
            { key: sequence, class: 'event' },
            h(
              'span',
              { class: 'event-name' },
              `${previousStatus === null ? 'First as' : 'Then as'} ${statusText(recorded.status).toLowerCase()}`,
            ),
            h(Timestamp, { timestamp: recordedAt, zone, isWhole: true }),
            h('span', { class: 'event-change' }, `change ${number(sequence)}`),
          ),
        ),
      ),
  );
}
