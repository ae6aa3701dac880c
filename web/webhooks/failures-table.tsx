import type { ComponentChildren } from 'preact';
import type { Transaction } from '../../client/src/transaction.ts';
import type { WebhookFailure, WebhookFailurePage } from '../../client/src/webhook-endpoint.ts';
import { Amount } from '../parts/amount.tsx';
import { Button } from '../parts/button.tsx';
import { type CardColumn, CardTable } from '../parts/card-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { nowMs } from '../state/clock.ts';
import { formatRoute } from '../state/route.ts';
import { number } from '../text/count.ts';
import { capital } from '../text/status.ts';
import { texts } from './endpoint-texts.ts';
import type { Retries, RetryState } from './use-retries.ts';

interface FailuresTableProps {
  page: WebhookFailurePage;
  transactions: ReadonlyMap<number, Transaction>;
  caption: string;
  isLoading: boolean;
  retries: Retries | undefined;
}

export function FailuresTable({ page, transactions, caption, isLoading, retries }: FailuresTableProps) {
  const column = (
    name: string,
    text: string,
    cell: (failure: WebhookFailure) => ComponentChildren,
  ): CardColumn<WebhookFailure> => ({ class: `failure-${name}`, name: text, cell });
  const time = (timestamp: string) => <Timestamp timestamp={timestamp} />;
  return (
    <CardTable
      class="plain-table failures-table"
      caption={caption}
      isLoading={isLoading}
      columns={[
        {
          ...column('change', texts.$oneChange, ({ sequence }) => (
            <Change sequence={sequence} transaction={transactions.get(sequence)} />
          )),
          header: texts.$notDelivered,
          isRowHeader: true,
        },
        column('error', texts.$lastError, ({ error }) => capital(error)),
        column('attempts', texts.$attempts, ({ attempts }) => number(attempts)),
        column('first', texts.$firstFailed, ({ firstFailedAt }) => time(firstFailedAt)),
        column('last', texts.$lastFailed, ({ lastFailedAt }) => time(lastFailedAt)),
        column('next', texts.$nextAttempt, ({ sequence, nextAttemptAt }) => {
          const state = retries?.states.get(sequence);
          const text = nextText(state, retries === undefined, nextAttemptAt);
          return text ?? (nextAttemptAt && time(nextAttemptAt));
        }),
        ...(retries
          ? [
              {
                ...column('retry', '', ({ sequence }) => (
                  <RetryButton sequence={sequence} retries={retries} />
                )),
                header: <span class="visually-hidden">{texts.$retry}</span>,
              },
            ]
          : []),
      ]}
      rows={page.data}
      keyOf={({ sequence }) => sequence}
    />
  );
}

interface ChangeProps {
  sequence: number;
  transaction: Transaction | undefined;
}

/** A single element, which narrow screens place beside the column's name. */
const Change = ({ sequence, transaction }: ChangeProps) => (
  <div>
    {transaction && (
      <>
        <span class="failure-order">
          <a class="reference" href={formatRoute({ view: 'transaction', reference: transaction.reference })}>
            {transaction.merchantReference ?? transaction.reference}
          </a>{' '}
          <Amount {...transaction} />
        </span>
        <StatusBadge {...transaction} />
      </>
    )}
    <span class="help"> {texts.$changeOf(number(sequence))}</span>
  </div>
);

function nextText(
  state: RetryState | undefined,
  isDisabled: boolean,
  nextAttemptAt: string | null,
): string | undefined {
  if (isDisabled) return texts.$notWhileDisabled;
  if (state === 'requested') return texts.$now;
  if (state === 'gone') return texts.$noneDelivered;
  if (nextAttemptAt === null) return texts.$noneRetryIt;
  // While an endpoint is paused, the service attempts one change at a time. The others wait until an attempt
  // succeeds, even if their `nextAttemptAt` has passed.
  return Date.parse(nextAttemptAt) < nowMs() ? texts.$whenAccepts : undefined;
}

const LABELS: Readonly<Record<RetryState, string>> = {
  running: texts.$retrying,
  requested: texts.$requested,
  gone: texts.$delivered,
};

function RetryButton({ sequence, retries }: { sequence: number; retries: Retries }) {
  const state = retries.states.get(sequence);
  return (
    <Button
      class="button button-small"
      aria-disabled={state !== undefined || retries.running !== undefined}
      onClick={() => retries.retry(sequence)}
    >
      {state === undefined ? texts.$retry : LABELS[state]}
      <span class="visually-hidden">{texts.$ofChange(sequence)}</span>
    </Button>
  );
}
