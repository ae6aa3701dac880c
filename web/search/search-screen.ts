import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { NotFoundError } from '../../client/src/errors.ts';
import { FailurePanel } from '../parts/failure-panel.ts';
import { LoadingTable } from '../parts/loading-table.ts';
import { Panel } from '../parts/panel.ts';
import { TransactionsTable } from '../parts/transactions-table.ts';
import { ZoneSwitch } from '../parts/zone-switch.ts';
import { announce } from '../state/announce.ts';
import type { Api, Transaction } from '../state/api.ts';
import { formatRoute, listRoute } from '../state/route.ts';
import type { SearchScreenProps } from '../state/search-props.ts';
import { setTitle } from '../state/title.ts';
import { useLoad } from '../state/use-load.ts';
import { navigate } from '../state/use-route.ts';

/** The most characters of a merchant's reference: longer texts find nothing. */
const MAX_MERCHANT_REFERENCE = 255;
/** Whether a text can be a reference: no path can have "." or "..". */
const canBeReference = (text: string) => text.length <= 64 && !/^\.{1,2}$/.test(text);

interface Found {
  transactions: readonly Transaction[];
  /** Whether more transactions have the text as the merchant's reference than are shown. */
  hasMore: boolean;
}

/** What a text finds: the transaction with this reference, and those with this merchant's reference. A single one is shown at once. */
export function SearchScreen(props: SearchScreenProps) {
  const { api, account, text, visit, zone, onZone, onFailure } = props;
  const { loaded, reload } = useLoad(`${visit} ${text}`, (signal) => search(api, text, signal), onFailure);
  const heading = useRef<HTMLHeadingElement>(null);
  const { state } = loaded;
  const found = loaded.state === 'loaded' ? loaded.value : undefined;
  const single = found?.transactions.length === 1 ? found.transactions[0] : undefined;
  useEffect(() => {
    setTitle(`Find ${text}`);
    heading.current?.focus();
    return () => announce('');
  }, [text]);
  useEffect(() => {
    if (single !== undefined) navigate({ view: 'transaction', reference: single.reference }, [], true);
    // A failure is an alert, which speaks for itself.
    else if (state === 'failed') announce('');
    else announce(found === undefined ? 'Searching' : `${found.transactions.length} transactions found`);
  }, [found, state]);

  return h(
    'main',
    { id: 'main' },
    h(
      'div',
      { class: 'heading' },
      h('h1', { ref: heading, tabIndex: -1 }, 'Transactions'),
      h('p', { class: 'heading-filter' }, 'with the reference ', h('code', null, text), ', yours or ours'),
    ),
    loaded.state === 'failed'
      ? h(FailurePanel, { ...loaded, onRetry: reload })
      : found === undefined || single !== undefined
        ? h(LoadingTable, null)
        : found.transactions.length === 0
          ? h(NothingFound, { account, text })
          : [
              h('div', { class: 'table-bar' }, h(ZoneSwitch, { zone, onChange: onZone })),
              h(TransactionsTable, {
                transactions: found.transactions,
                zone,
                caption: 'Transactions that were found, newest first',
                isLoading: false,
              }),
              found.hasMore && h(MoreLink, { text }),
            ],
  );
}

async function search(api: Api, text: string, signal: AbortSignal): Promise<Found> {
  const [one, page] = await Promise.all([
    canBeReference(text) ? api.retrieve(text, signal).catch(undefinedIfNotFound) : undefined,
    text.length > MAX_MERCHANT_REFERENCE ? undefined : api.page({ merchantReference: text }, signal),
  ]);
  const others = (page?.data ?? []).filter(({ reference }) => reference !== one?.reference);
  return { transactions: one === undefined ? others : [one, ...others], hasMore: page?.hasMore ?? false };
}

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof NotFoundError) return undefined;
  throw error;
}

function NothingFound({ account, text }: { account: string; text: string }) {
  return h(
    Panel,
    {
      icon: 'search',
      title: 'Nothing was found',
      isAlert: true,
      actions: h('a', { class: 'button', href: formatRoute(listRoute()) }, 'All transactions'),
    },
    h(
      'p',
      null,
      'No transaction of the account ',
      h('code', null, account),
      ' has ',
      h('code', null, text),
      ' as its reference, and none has it as your reference. All days and all statuses were searched.',
    ),
    h(
      'p',
      null,
      'A reference must be complete, with its capitals, leading zeros and inner spaces. If you know only the day, the currency or the status, filter the list. If the payment belongs to another account, sign in with a key of that account.',
    ),
  );
}

function MoreLink({ text }: { text: string }) {
  const href = formatRoute(listRoute({ merchantReference: text }));
  return h(
    'p',
    { class: 'search-more' },
    h('a', { href }, 'Show all transactions with this as your reference'),
  );
}
