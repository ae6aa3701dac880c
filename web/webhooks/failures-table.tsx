import type { ComponentChild, ComponentChildren } from 'preact';
import type { Transaction } from '../../client/src/transaction.ts';
import type { WebhookFailure, WebhookFailurePage } from '../../client/src/webhook-endpoint.ts';
import { Amount } from '../parts/amount.tsx';
import { Button } from '../parts/button.tsx';
import { CardTable, columnHeader } from '../parts/card-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { nowMs } from '../state/clock.ts';
import { formatRoute } from '../state/route.ts';
import { useRoute } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { capital } from '../text/status.ts';
import { texts } from './endpoint-texts.ts';
import type { Retries, RetryState } from './use-retries.ts';

interface FailuresTableProps {
  page: WebhookFailurePage;
  /** The known transactions, by the number of the change. */
  transactions: ReadonlyMap<number, Transaction>;
  caption: string;
  isLoading: boolean;
  /** Undefined while the endpoint is disabled. */
  retries: Retries | undefined;
}

/** The table of failures. */
export function FailuresTable({ page, transactions, caption, isLoading, retries }: FailuresTableProps) {
  const { zone } = useRoute();
  const header = (name: ComponentChild, column: string, ofTimes?: string) =>
    columnHeader(`failure-${column}`, name, ofTimes);
  return (
    <CardTable
      class="failures-table"
      caption={caption}
      isLoading={isLoading}
      headers={
        <>
          {header(texts.$notDelivered, 'change')}
          {header(texts.$lastError, 'error')}
          {header(texts.$attempts, 'attempts')}
          {header(texts.$firstFailed, 'first', zone)}
          {header(texts.$lastFailed, 'last', zone)}
          {header(texts.$nextAttempt, 'next', zone)}
          {retries && header(<span class="visually-hidden">{texts.$retry}</span>, 'retry')}
        </>
      }
    >
      {page.data.map((failure) => (
        <Row
          key={failure.sequence}
          failure={failure}
          transaction={transactions.get(failure.sequence)}
          retries={retries}
        />
      ))}
    </CardTable>
  );
}

interface RowProps {
  failure: WebhookFailure;
  /** Undefined if it is not known. */
  transaction: Transaction | undefined;
  retries: Retries | undefined;
}

function Row({ failure, transaction, retries }: RowProps) {
  const { sequence, error, attempts, firstFailedAt, lastFailedAt, nextAttemptAt } = failure;
  const state = retries?.states.get(sequence);
  const cell = (column: string, name: string, ...children: ComponentChildren[]) => (
    <td role="cell" class={`failure-${column}`} data-name={name}>
      {children}
    </td>
  );
  const time = (timestamp: string) => <Timestamp timestamp={timestamp} />;
  return (
    <tr role="row">
      {cell(
        'change',
        texts.$oneChange,
        // One element: narrow screens show the name of the column beside it.
        <div>
          {transaction && (
            <>
              <span class="failure-order">
                <a
                  class="reference"
                  href={formatRoute({ view: 'transaction', reference: transaction.reference })}
                >
                  {transaction.merchantReference ?? transaction.reference}
                </a>{' '}
                <Amount {...transaction} />
              </span>
              <StatusBadge {...transaction} />
            </>
          )}
          <span class="help"> {texts.$changeOf(number(sequence))}</span>
        </div>,
      )}
      {cell('error', texts.$lastError, capital(error))}
      {cell('attempts', texts.$attempts, number(attempts))}
      {cell('first', texts.$firstFailed, time(firstFailedAt))}
      {cell('last', texts.$lastFailed, time(lastFailedAt))}
      {cell(
        'next',
        texts.$nextAttempt,
        nextText(state, retries === undefined, nextAttemptAt) ?? (nextAttemptAt && time(nextAttemptAt)),
      )}
      {retries && cell('retry', '', <RetryButton sequence={sequence} state={state} retries={retries} />)}
    </tr>
  );
}

function nextText(
  state: RetryState | undefined,
  isDisabled: boolean,
  nextAttemptAt: string | null,
): string | undefined {
  if (isDisabled) return texts.$notWhileDisabled;
  if (state === 'requested') return texts.$now;
  if (state === 'gone') return texts.$noneDelivered;
  if (nextAttemptAt === null) return texts.$noneRetryIt;
  // While the endpoint is paused, changes that are due wait for the one that is tried.
  return Date.parse(nextAttemptAt) < nowMs() ? texts.$whenAccepts : undefined;
}

const LABELS: Readonly<Record<RetryState, string>> = {
  running: texts.$retrying,
  requested: texts.$requested,
  gone: texts.$delivered,
};

interface RetryButtonProps {
  sequence: number;
  state: RetryState | undefined;
  retries: Retries;
}

function RetryButton({ sequence, state, retries }: RetryButtonProps) {
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
