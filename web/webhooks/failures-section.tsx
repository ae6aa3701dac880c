import { useEffect, useState } from 'preact/hooks';
import type { Transaction } from '../../client/src/transaction.ts';
import type { WebhookEndpoint, WebhookFailurePage } from '../../client/src/webhook-endpoint.ts';
import { Button } from '../parts/button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { useLoad } from '../state/use-load.ts';
import { counted, number } from '../text/count.ts';
import { texts } from './endpoint-texts.ts';
import { FailuresTable } from './failures-table.tsx';
import { type Retries, useRetries } from './use-retries.ts';
import type { WebhookApi } from './webhook-api.ts';

interface FailuresSectionProps {
  api: WebhookApi;
  webhook: WebhookEndpoint;
  name: string;
  version: string;
  onReload(): void;
}

export function FailuresSection({ api, webhook, name, version, onReload }: FailuresSectionProps) {
  const { id, state } = webhook;
  // The cursors of all pages from the second page to the current page.
  const [before, setBefore] = useState<readonly string[]>([]);
  const cursor = before.at(-1) ?? null;
  const {
    loaded,
    value: page,
    reload,
  } = useLoad(`${version} ${cursor ?? ''}`, (signal) => api.failures(id, cursor, signal), id);
  const transactions = useTransactions(api, page);
  const retries = useRetries(page, (sequence) => api.retry(id, sequence));
  if (loaded.state === 'failed') return <FailurePanel {...loaded} onRetry={reload} />;
  if (page === undefined) return <p class="failures-note">{texts.$loadingFailures}</p>;
  if (page.data.length === 0) {
    return (
      <p class="failures-note">
        {before.length === 0 ? texts.$noFailureLeft : texts.$noLaterFailures}
        {before.length > 0 && (
          <Button class="link" onClick={() => setBefore([])}>
            {texts.$firstPage}
          </Button>
        )}
      </p>
    );
  }
  const isLoading = loaded.state === 'loading';
  return (
    <div class="failures">
      <div class="failures-bar">
        <p class="failures-place">{placeText(page, before.length, isLoading)}</p>
        {state === 'enabled' ? (
          <RetryAll name={name} retries={retries} />
        ) : (
          <p class="failures-place">{texts.$enableToRetry}</p>
        )}
      </div>
      <FailuresTable
        page={page}
        transactions={transactions}
        caption={texts.$failuresOf(name)}
        isLoading={isLoading}
        retries={state === 'enabled' ? retries : undefined}
      />
      <div class="failures-foot">
        <div role="status">
          <RetriesText retries={retries} onReload={onReload} />
        </div>
        {(before.length > 0 || page.hasMore) && (
          <PageButtons
            name={name}
            onFirst={before.length > 0 ? () => setBefore([]) : undefined}
            onBack={before.length > 0 ? () => setBefore(before.slice(0, -1)) : undefined}
            onNext={
              page.nextCursor !== null && !isLoading
                ? () => setBefore([...before, page.nextCursor as string])
                : undefined
            }
          />
        )}
      </div>
    </div>
  );
}

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
  if (isLoading) return texts.$loading;
  const failures = counted(data.length, texts.$failure);
  return pagesBefore === 0 && !hasMore
    ? texts.$failuresFromOldest(failures)
    : texts.$failuresPage(number(pagesBefore + 1), failures, !hasMore);
}

function RetryAll({ name, retries }: { name: string; retries: Retries }) {
  const { left, running } = retries;
  const label =
    running === undefined ? texts.$retryAll(left) : texts.$retryingOf(running.done + 1, running.count);
  return (
    <Button aria-disabled={running !== undefined || left === 0} onClick={retries.retryAll}>
      {label}
      <span class="visually-hidden">{texts.$failuresOfEndpoint(name)}</span>
    </Button>
  );
}

function RetriesText({ retries, onReload }: { retries: Retries; onReload: () => void }) {
  const { requested, failure, running } = retries;
  return (
    <>
      {failure && (
        <p class="endpoint-line endpoint-line-bad">
          <Icon name="warning" />
          <span>
            {failure.title}. {failure.detail}
          </span>
        </p>
      )}
      {requested > 0 && running === undefined && (
        <p>
          {texts.$sentAgain(counted(requested, texts.$change))}
          {texts.$seeResult((label) => (
            <Button class="link" onClick={onReload}>
              {label}
            </Button>
          ))}
        </p>
      )}
    </>
  );
}

interface PageButtonsProps {
  name: string;
  onFirst: (() => void) | undefined;
  onBack: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** Uses aria-disabled, because a button with `disabled` would lose the keyboard focus. */
function PageButtons({ name, onFirst, onBack, onNext }: PageButtonsProps) {
  const button = (label: string, action: (() => void) | undefined, icon?: 'left' | 'right') => (
    <Button aria-disabled={action === undefined} onClick={action}>
      {icon === 'left' && <Icon name={icon} />}
      {label}
      {icon === 'right' && <Icon name={icon} />}
    </Button>
  );
  return (
    <nav class="failures-turns" aria-label={texts.$failurePages(name)}>
      {button(texts.$first, onFirst)}
      {button(texts.$back, onBack, 'left')}
      {button(texts.$next, onNext, 'right')}
    </nav>
  );
}
