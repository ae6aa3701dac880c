import { type ComponentChildren, h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../state/announce.ts';
import type { Api, Transaction } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { formatRoute, listRoute, type Route } from '../state/route.ts';
import { setTitle } from '../state/title.ts';
import type { Live } from '../state/use-live.ts';
import { type Loaded, type Retry, useLoad } from '../state/use-load.ts';
import { Timeline } from '../timeline/timeline.ts';
import { Amount } from './amount.ts';
import { CopyButton } from './copy-button.ts';
import { FailurePanel } from './failure-panel.ts';
import { FreshNote } from './fresh-note.ts';
import { Icon } from './icon.ts';
import { SameOrder } from './same-order.ts';
import { SlowNote } from './slow-note.ts';
import { StatusBadge } from './status-badge.ts';
import { Timestamp } from './timestamp.ts';
import { ZoneSwitch } from './zone-switch.ts';

interface TransactionScreenProps {
  api: Api;
  apiKey: string;
  account: string;
  reference: string;
  zone: string;
  live: Live;
  /** The previous screen, if there was one. */
  cameFrom: Route['view'] | undefined;
  onZone(zone: string): void;
  onFailure(failure: Failure): void;
}

/** A failure needs no announcement, because it is an alert. */
const ANNOUNCEMENTS = {
  loading: 'Loading the transaction',
  loaded: 'Transaction loaded',
  failed: '',
} as const;

/** One transaction with all its fields. */
export function TransactionScreen(props: TransactionScreenProps) {
  const { api, apiKey, account, reference, zone, live, cameFrom, onZone, onFailure } = props;
  const { loaded, reload } = useLoad(
    // Again where the feed left changes out: what became of the transaction can be among them.
    `${live.missed} ${reference}`,
    async (signal) => ({ transaction: await api.retrieve(reference, signal), atMs: Date.now() }),
    onFailure,
    reference,
  );
  const value =
    loaded.state === 'loaded' ? loaded.value : loaded.state === 'loading' ? loaded.previous : undefined;
  // Kept here, because the feed keeps the last changes only. What is not pending is final.
  const latest = useRef<Transaction>(undefined);
  const kept = latest.current;
  if (kept === undefined || kept.status === 'pending')
    latest.current = live.latest.get(reference)?.transaction ?? kept;
  const transaction = withLatest(loaded, value?.transaction, latest.current);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setTitle(reference);
    heading.current?.focus();
  }, [reference]);
  useEffect(() => {
    announce(loaded.state === 'loading' && value ? '' : ANNOUNCEMENTS[loaded.state]);
  }, [loaded.state]);
  useEffect(() => {
    if (loaded.state === 'loaded' && transaction?.status !== loaded.value.transaction.status)
      announce(`Now ${transaction?.status}`);
  }, [transaction?.status]);

  return h(
    'main',
    { id: 'main', class: 'detail' },
    h(BackLink, { cameFrom }),
    h(
      'div',
      { class: 'heading' },
      h('h1', { ref: heading, tabIndex: -1 }, 'Transaction ', h('span', { class: 'reference' }, reference)),
      value && h(FreshNote, { isLive: live.isLive && loaded.state === 'loaded', atMs: value.atMs, zone }),
      h(ZoneSwitch, { zone, onChange: onZone }),
    ),
    loaded.state === 'loading' &&
      transaction === undefined && [
        h(SlowNote, { key: 'slow' }),
        h(
          'div',
          { class: 'loading loading-card', 'aria-hidden': 'true', key: 'card' },
          h('i', null),
          h('i', null),
          h('i', null),
        ),
      ],
    loaded.state === 'failed' &&
      transaction === undefined &&
      h(Failed, { ...loaded, account, reference, onRetry: reload }),
    transaction && [
      h(TransactionCard, { transaction, zone, key: 'card' }),
      h(Timeline, { apiKey, transaction, zone, onFailure, key: 'timeline' }),
      // Last, so that nothing moves when it arrives.
      transaction.merchantReference !== null &&
        h(SameOrder, {
          api,
          reference,
          merchantReference: transaction.merchantReference,
          zone,
          onFailure,
          key: 'order',
        }),
    ],
  );
}

/** What the feed brought can be older than what was loaded, unless it is final: only pending transactions change. */
function withLatest(
  loaded: Loaded<unknown>,
  transaction: Transaction | undefined,
  latest: Transaction | undefined,
): Transaction | undefined {
  if (loaded.state === 'failed') return loaded.failure.kind === 'not-found' ? latest : undefined;
  return transaction?.status === 'pending' ? (latest ?? transaction) : transaction;
}

interface FailedProps {
  failure: Failure;
  retry: Retry | undefined;
  account: string;
  reference: string;
  onRetry(): void;
}

function Failed({ failure, retry, account, reference, onRetry }: FailedProps) {
  if (failure.kind !== 'not-found') return h(FailurePanel, { failure, retry, onRetry });
  const detail = `The account ${account} has no transaction with the reference "${reference}". It can be your own reference, such as an order number, or belong to another account.`;
  const href = formatRoute({ view: 'search', text: reference });
  return h(FailurePanel, {
    failure: { ...failure, detail },
    retry,
    actions: h('a', { class: 'button button-primary', href }, 'Search your references'),
  });
}

function TransactionCard({ transaction, zone }: { transaction: Transaction; zone: string }) {
  const { reference, merchantReference, status, amount, currencyCode, paidAt, createdAt } = transaction;
  return h(
    'section',
    { class: 'card', 'aria-label': 'Transaction' },
    h('div', { class: 'card-head' }, h(Amount, { amount, currencyCode }), h(StatusBadge, { status })),
    h(
      'dl',
      { class: 'transaction-fields' },
      field(
        'Reference',
        h('code', null, reference),
        h(CopyButton, { text: reference, name: 'the reference' }),
      ),
      field(
        'Your reference',
        merchantReference === null
          ? 'None'
          : [
              h('code', null, merchantReference),
              h(CopyButton, { text: merchantReference, name: 'your reference' }),
            ],
      ),
      field('Created', h(Timestamp, { timestamp: createdAt, zone, isWhole: true })),
      field('Paid', paidAt === null ? 'Not paid' : h(Timestamp, { timestamp: paidAt, zone, isWhole: true })),
    ),
  );
}

function field(name: string, ...value: ComponentChildren[]) {
  return h('div', { class: 'transaction-field' }, h('dt', null, name), h('dd', null, ...value));
}

const BACK_TEXTS: { [View in Route['view']]?: string } = {
  list: 'Back to the list',
  search: 'Back to the search',
};

function BackLink({ cameFrom }: Pick<TransactionScreenProps, 'cameFrom'>) {
  const backText = cameFrom && BACK_TEXTS[cameFrom];
  const back = (event: MouseEvent) => {
    if (backText === undefined) return;
    event.preventDefault();
    history.back();
  };
  return h(
    'a',
    { class: 'back', href: formatRoute(listRoute()), onClick: back },
    h(Icon, { name: 'left' }),
    backText ?? 'All transactions',
  );
}
