import { h } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { FailurePanel } from '../parts/failure-panel.ts';
import { Panel } from '../parts/panel.ts';
import { Timestamp } from '../parts/timestamp.ts';
import { ZoneSwitch } from '../parts/zone-switch.ts';
import { announce } from '../state/announce.ts';
import type { Failure } from '../state/failure.ts';
import { setTitle } from '../state/title.ts';
import { type Retry, useLoad } from '../state/use-load.ts';
import { counted } from '../text/count.ts';
import { EndpointCard } from './endpoint-card.ts';
import { connectWebhooks, type WebhookOverview } from './webhook-api.ts';

interface WebhooksScreenProps {
  apiKey: string;
  /** A new number sends the requests again. */
  visit: number;
  zone: string;
  onZone(zone: string): void;
  onSignedOut(cause: Failure): void;
}

/** The webhook endpoints of the account, with what could not be delivered. Nothing on it changes unless the user asks for it. */
export function WebhooksScreen(props: WebhooksScreenProps) {
  const { apiKey, visit, zone, onZone, onSignedOut } = props;
  const api = useMemo(() => connectWebhooks(apiKey), [apiKey]);
  const onFailure = (failure: Failure) => {
    if (failure.kind === 'signed-out') onSignedOut(failure);
  };
  const { loaded, reload } = useLoad(String(visit), api.overview, onFailure, 'webhooks');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setTitle('Webhooks');
    heading.current?.focus();
    return () => announce('');
  }, []);
  const { state } = loaded;
  const overview =
    loaded.state === 'failed' ? undefined : loaded.state === 'loaded' ? loaded.value : loaded.previous;
  const count = overview?.webhooks.length;
  useEffect(() => {
    const found = state === 'loaded' ? `${counted(count ?? 0, 'webhook endpoint')} loaded` : '';
    announce(state === 'loading' ? 'Loading webhooks' : found);
  }, [state, count]);

  return h(
    'main',
    { id: 'main', class: 'webhooks' },
    h(
      'div',
      { class: 'heading' },
      h('h1', { ref: heading, tabIndex: -1 }, 'Webhooks'),
      overview &&
        h(
          'p',
          { class: 'heading-filter' },
          overview.webhooks.length === 0 ? 'At ' : `${counted(overview.webhooks.length, 'endpoint')}, at `,
          h(Timestamp, { timestamp: overview.loadedAt, zone }),
        ),
      overview && h(ZoneSwitch, { zone, onChange: onZone }),
      overview &&
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            'aria-disabled': state === 'loading',
            onClick: () => state !== 'loading' && reload(),
          },
          state === 'loading' ? 'Loading\u2026' : 'Load again',
        ),
    ),
    loaded.state === 'failed' && h(Failed, { failure: loaded.failure, retry: loaded.retry, onRetry: reload }),
    state === 'loading' && overview === undefined && h(LoadingCards, null),
    overview?.webhooks.length === 0 && h(NoEndpoints, null),
    overview !== undefined &&
      overview.webhooks.length > 0 &&
      h(Cards, { ...props, api, overview, isLoading: state === 'loading', onReload: reload, onFailure }),
  );
}

interface CardsProps extends WebhooksScreenProps {
  api: ReturnType<typeof connectWebhooks>;
  overview: WebhookOverview;
  isLoading: boolean;
  onReload(): void;
  onFailure(failure: Failure): void;
}

function Cards({ api, overview, isLoading, zone, onReload, onFailure }: CardsProps) {
  const { webhooks, loadedAt } = overview;
  return h(
    'div',
    { class: isLoading ? 'endpoints endpoints-stale' : 'endpoints', 'aria-busy': isLoading },
    webhooks.map((webhook) =>
      h(EndpointCard, { api, webhook, version: loadedAt, zone, onReload, onFailure, key: webhook.id }),
    ),
  );
}

interface FailedProps {
  failure: Failure;
  retry: Retry | undefined;
  onRetry(): void;
}

function Failed({ failure, retry, onRetry }: FailedProps) {
  if (failure.code === 'insufficient_scope') {
    return h(FailurePanel, {
      failure: {
        ...failure,
        title: 'This key cannot show webhooks',
        detail:
          'The key is valid, but it is not for webhooks, and what a key is for cannot be changed. Ask the operator of the service for a key with webhooks, and sign in with it.',
      },
      retry: undefined,
      actions: h('a', { class: 'button', href: '#/transactions' }, 'All transactions'),
    });
  }
  return h(FailurePanel, { failure, retry, onRetry });
}

function NoEndpoints() {
  return h(
    Panel,
    {
      icon: 'empty',
      title: 'No webhook endpoints yet',
      actions: h('a', { class: 'button', href: '/docs' }, 'API reference'),
    },
    h(
      'p',
      null,
      'A webhook is a message that the service sends to a URL of yours when a transaction is recorded or takes another status: for example, when an order is paid. Each URL is an endpoint.',
    ),
    h(
      'p',
      null,
      'Create one with ',
      h('code', null, 'POST /v1/webhooks'),
      '. This screen then shows how far its deliveries are and what could not be delivered, and sends tests.',
    ),
  );
}

function LoadingCards() {
  return h(
    'div',
    { class: 'loading loading-card', 'aria-hidden': 'true' },
    h('i', null),
    h('i', null),
    h('i', null),
  );
}
