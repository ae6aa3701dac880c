import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { Panel } from '../parts/panel.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { ZoneSwitch } from '../parts/zone-switch.tsx';
import { announce } from '../state/announce.ts';
import type { Failure } from '../state/failure.ts';
import { useHeading } from '../state/title.ts';
import { type Retry, useLoad } from '../state/use-load.ts';
import { useRoute } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import { EndpointCard } from './endpoint-card.tsx';
import { texts } from './endpoint-texts.ts';
import { connectWebhooks } from './webhook-api.ts';

export function WebhooksScreen({ apiKey }: { apiKey: string }) {
  const { visit } = useRoute();
  const api = useMemo(() => connectWebhooks(apiKey), [apiKey]);
  const { loaded, value: overview, reload } = useLoad(String(visit), api.overview, 'webhooks');
  useHeading(texts.$webhooks);
  const { state } = loaded;
  const count = overview?.webhooks.length;
  useEffect(() => {
    const found = state === 'loaded' ? texts.$endpointsLoaded(counted(count ?? 0, texts.$endpoint)) : '';
    announce(state === 'loading' ? texts.$loadingWebhooks : found);
  }, [state, count]);

  return (
    <main id="main" class="webhooks">
      <div class="heading">
        <h1 tabIndex={-1}>{texts.$webhooks}</h1>
        {overview && (
          <p class="heading-filter">
            {overview.webhooks.length === 0
              ? texts.$atTime(<Timestamp timestamp={overview.loadedAt} />)
              : texts.$endpointsAt(
                  counted(overview.webhooks.length, texts.$endpoint),
                  <Timestamp timestamp={overview.loadedAt} />,
                )}
          </p>
        )}
        {overview && <ZoneSwitch />}
        {overview && (
          <Button aria-disabled={state === 'loading'} onClick={() => state !== 'loading' && reload()}>
            {state === 'loading' ? texts.$loading : texts.$loadAgain}
          </Button>
        )}
      </div>
      {loaded.state === 'failed' && <Failed failure={loaded.failure} retry={loaded.retry} onRetry={reload} />}
      {state === 'loading' && overview === undefined && (
        <div class="loading loading-card" aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
      )}
      {overview?.webhooks.length === 0 && <NoEndpoints />}
      {overview && (
        <div
          class={state === 'loading' ? 'endpoints endpoints-stale' : 'endpoints'}
          aria-busy={state === 'loading'}
        >
          {overview.webhooks.map((webhook) => (
            <EndpointCard
              key={webhook.id}
              api={api}
              webhook={webhook}
              version={overview.loadedAt}
              onReload={reload}
            />
          ))}
        </div>
      )}
    </main>
  );
}

interface FailedProps {
  failure: Failure;
  retry: Retry | undefined;
  onRetry(): void;
}

function Failed({ failure, retry, onRetry }: FailedProps) {
  if (failure.code === 'insufficient_scope') {
    return (
      <FailurePanel
        failure={{ ...failure, ...texts.$noWebhooksKey }}
        retry={undefined}
        actions={
          <a class="button" href="#/transactions">
            {texts.$allTransactions}
          </a>
        }
      />
    );
  }
  return <FailurePanel failure={failure} retry={retry} onRetry={onRetry} />;
}

function NoEndpoints() {
  return (
    <Panel
      icon="empty"
      title={texts.$noEndpoints}
      actions={
        <a class="button" href="/guides/webhooks" hreflang="en">
          {texts.$howToSetUp}
        </a>
      }
    >
      <p>{texts.$webhookIs}</p>
      <p>{texts.$createOne(<code>POST /v1/webhooks</code>)}</p>
    </Panel>
  );
}
