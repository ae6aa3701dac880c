import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Transaction } from '../../client/src/transaction.ts';
import type { WebhookEndpoint, WebhookFailurePage } from '../../client/src/webhook-endpoint.ts';
import { FailurePanel } from '../parts/failure-panel.ts';
import { Icon } from '../parts/icon.ts';
import type { Failure } from '../state/failure.ts';
import { useLoad } from '../state/use-load.ts';
import { counted, number } from '../text/count.ts';
import { FailuresTable } from './failures-table.ts';
import { useRetries } from './use-retries.ts';
import type { WebhookApi } from './webhook-api.ts';

interface FailuresSectionProps {
  api: WebhookApi;
  webhook: WebhookEndpoint;
  name: string;
  /** Another one loads the failures again. */
  version: string;
  zone: string;
  /** Loads the endpoint and its failures again. */
  onReload(): void;
  onFailure(failure: Failure): void;
}

/** The changes that could not be delivered to an endpoint, in pages. */
export function FailuresSection({
  api,
  webhook,
  name,
  version,
  zone,
  onReload,
  onFailure,
}: FailuresSectionProps) {
  const { id, state } = webhook;
  // The cursor of each page up to this one, but the first.
  const [before, setBefore] = useState<readonly string[]>([]);
  const cursor = before.at(-1) ?? null;
  const { loaded, reload } = useLoad(
    `${version} ${cursor ?? ''}`,
    (signal) => api.failures(id, cursor, signal),
    onFailure,
    id,
  );
  const page =
    loaded.state === 'failed' ? undefined : loaded.state === 'loaded' ? loaded.value : loaded.previous;
  const transactions = useTransactions(api, page);
  const retries = useRetries(page, (sequence) => api.retry(id, sequence), onFailure);
  if (loaded.state === 'failed') return h(FailurePanel, { ...loaded, onRetry: reload });
  if (page === undefined) return h('p', { class: 'failures-note' }, 'Loading the failures\u2026');
  if (page.data.length === 0) {
    return h(
      'p',
      { class: 'failures-note' },
      before.length === 0 ? 'No failure is left. ' : 'No later failures. ',
      before.length > 0 &&
        h('button', { type: 'button', class: 'link', onClick: () => setBefore([]) }, 'First page'),
    );
  }
  const isLoading = loaded.state === 'loading';
  return h(
    'div',
    { class: 'failures' },
    h(
      'div',
      { class: 'failures-bar' },
      h('p', { class: 'failures-place' }, placeText(page, before.length, isLoading)),
      state === 'enabled'
        ? h(RetryAll, { name, retries })
        : h('p', { class: 'failures-place' }, 'Enable the endpoint to retry them.'),
    ),
    h(FailuresTable, {
      page,
      transactions,
      caption: `Failures of ${name}`,
      isLoading,
      zone,
      retries: state === 'enabled' ? retries : undefined,
    }),
    h(
      'div',
      { class: 'failures-foot' },
      h('div', { role: 'status' }, h(RetriesText, { retries, onReload })),
      (before.length > 0 || page.hasMore) &&
        h(Turns, {
          name,
          onFirst: before.length > 0 ? () => setBefore([]) : undefined,
          onBack: before.length > 0 ? () => setBefore(before.slice(0, -1)) : undefined,
          onNext:
            page.nextCursor !== null && !isLoading
              ? () => setBefore([...before, page.nextCursor as string])
              : undefined,
        }),
    ),
  );
}

/** What the failures of a page are about, loaded when they are shown: it can take several requests. */
function useTransactions(
  api: WebhookApi,
  page: WebhookFailurePage | undefined,
): ReadonlyMap<number, Transaction> {
  const [found, setFound] = useState<ReadonlyMap<number, Transaction>>(new Map());
  useEffect(() => {
    if (page === undefined) return;
    const abort = new AbortController();
    void api
      .transactions(page, abort.signal)
      .then((more) => setFound((before) => new Map([...before, ...more])));
    return () => abort.abort();
  }, [page]);
  return found;
}

function placeText({ data, hasMore }: WebhookFailurePage, pagesBefore: number, isLoading: boolean): string {
  if (isLoading) return 'Loading\u2026';
  if (pagesBefore === 0 && !hasMore) return `${counted(data.length, 'failure')}, oldest change first`;
  return `Page ${number(pagesBefore + 1)}${hasMore ? '' : ', the last'}: ${counted(data.length, 'failure')}`;
}

type Retries = ReturnType<typeof useRetries>;

function RetryAll({ name, retries }: { name: string; retries: Retries }) {
  const { left, running } = retries;
  const label =
    running === undefined
      ? `Retry all ${left > 1 ? `${left} ` : ''}shown`
      : `Retrying ${running.done + 1} of ${running.count}\u2026`;
  return h(
    'button',
    {
      type: 'button',
      class: 'button',
      'aria-disabled': running !== undefined || left === 0,
      onClick: retries.retryAll,
    },
    label,
    h('span', { class: 'visually-hidden' }, ` failures of ${name}`),
  );
}

/** What the retries did, and how to see their result: nothing is loaded without a click. */
function RetriesText({ retries, onReload }: { retries: Retries; onReload: () => void }) {
  const { requested, failure, running } = retries;
  return [
    failure &&
      h(
        'p',
        { class: 'endpoint-line endpoint-line-bad', key: 'failure' },
        h(Icon, { name: 'warning' }),
        h('span', null, `${failure.title}. ${failure.detail}`),
      ),
    requested > 0 &&
      running === undefined &&
      h(
        'p',
        { key: 'requested' },
        `${counted(requested, 'change')} will be sent again within seconds. `,
        h('button', { type: 'button', class: 'link', onClick: onReload }, 'Load the endpoint again'),
        ' to see the result.',
      ),
  ];
}

interface TurnsProps {
  name: string;
  onFirst: (() => void) | undefined;
  onBack: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** The buttons of the pages. An unusable button stays focusable, so that the keyboard focus is not lost. */
function Turns({ name, onFirst, onBack, onNext }: TurnsProps) {
  const button = (label: string, action: (() => void) | undefined, icon?: 'left' | 'right') =>
    h(
      'button',
      { type: 'button', class: 'button', 'aria-disabled': action === undefined, onClick: action },
      icon === 'left' && h(Icon, { name: icon }),
      label,
      icon === 'right' && h(Icon, { name: icon }),
    );
  return h(
    'nav',
    { class: 'failures-turns', 'aria-label': `Pages of the failures of ${name}` },
    button('First', onFirst),
    button('Back', onBack, 'left'),
    button('Next', onNext, 'right'),
  );
}
