import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { NotFoundError } from '../../client/src/errors.ts';
import { FailurePanel } from '../parts/failure-panel.ts';
import { LoadingTable } from '../parts/loading-table.ts';
import { ZoneSwitch } from '../parts/zone-switch.ts';
import { announce } from '../state/announce.ts';
import type { Api, Transaction } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { formatRoute, listRoute } from '../state/route.ts';
import { setTitle } from '../state/title.ts';
import { useLoad } from '../state/use-load.ts';
import { navigate } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import { FoundTable } from './found-table.ts';
import { describeTerms, MAX_REFERENCE, readSearch, searchQuery } from './read-search.ts';
import { TermsResult } from './terms-result.ts';

/** Whether a text can be a reference: no path can have "." or "..". */
const canBeReference = (text: string) => text.length <= 64 && !/^\.{1,2}$/.test(text);

interface SearchScreenProps {
  api: Api;
  account: string;
  text: string;
  /** A new number sends the requests again. */
  visit: number;
  zone: string;
  onZone(zone: string): void;
  onFailure(failure: Failure): void;
}

interface Found {
  transactions: readonly Transaction[];
  /** Whether more transactions have the text as the merchant's reference than are shown. */
  hasMore: boolean;
}

/**
 * What a text finds: the transaction with this reference, and those with this merchant's reference. A single one is shown at once. If
 * there is none, the text is searched for as what it looks like: an amount, a day, parts of a reference.
 */
export function SearchScreen(props: SearchScreenProps) {
  const { api, text, visit, zone, onZone, onFailure } = props;
  const { loaded, reload } = useLoad(
    `${visit} ${text}`,
    (signal) => findExactly(api, text, signal),
    onFailure,
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const { state } = loaded;
  const found = loaded.state === 'loaded' ? loaded.value : undefined;
  const single = found?.transactions.length === 1 ? found.transactions[0] : undefined;
  const isExact = found === undefined || found.transactions.length > 0;
  const terms = readSearch(text);
  useEffect(() => {
    setTitle(`Find ${text}`);
    heading.current?.focus();
    return () => announce('');
  }, [text]);
  useFieldText(text, isExact && state === 'loaded');
  useEffect(() => {
    if (single !== undefined) navigate({ view: 'transaction', reference: single.reference }, [], true);
    // A failure is an alert, which speaks for itself.
    else if (state === 'failed') announce('');
    else if (found === undefined) announce('Searching');
    else if (isExact) announce(`${counted(found.transactions.length, 'transaction')} found`);
  }, [found, state]);

  return h(
    'main',
    { id: 'main' },
    h(
      'div',
      { class: 'heading' },
      h('h1', { ref: heading, tabIndex: -1 }, 'Transactions'),
      h(
        'p',
        { class: 'heading-filter' },
        isExact || searchQuery(terms, zone) === undefined
          ? ['with the reference ', h('code', { key: 'text' }, text), ', yours or ours']
          : describeTerms(terms, zone),
      ),
    ),
    loaded.state === 'failed'
      ? h(FailurePanel, { ...loaded, onRetry: reload })
      : found === undefined || single !== undefined
        ? h(LoadingTable, null)
        : isExact
          ? [
              h('div', { class: 'table-bar' }, h(ZoneSwitch, { zone, onChange: onZone })),
              h(FoundTable, { transactions: found.transactions, zone }),
              found.hasMore && h(MoreLink, { text }),
            ]
          : h(TermsResult, { ...props, terms, key: `${visit} ${text} ${terms.day && zone}` }),
  );
}

/** Puts the text back into the field of the search while it has not found what it names, so that it can be corrected. */
function useFieldText(text: string, isFound: boolean): void {
  useEffect(() => {
    const field = document.querySelector<HTMLInputElement>('#find-text');
    if (field === null || isFound) return;
    if (field.value === '') field.value = text;
    return () => {
      if (field.value === text) field.value = '';
    };
  }, [text, isFound]);
}

async function findExactly(api: Api, text: string, signal: AbortSignal): Promise<Found> {
  const [one, page] = await Promise.all([
    canBeReference(text) ? api.retrieve(text, signal).catch(undefinedIfNotFound) : undefined,
    text.length > MAX_REFERENCE ? undefined : api.page({ merchantReference: text }, signal),
  ]);
  const others = (page?.data ?? []).filter(({ reference }) => reference !== one?.reference);
  return { transactions: one === undefined ? others : [one, ...others], hasMore: page?.hasMore ?? false };
}

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof NotFoundError) return undefined;
  throw error;
}

function MoreLink({ text }: { text: string }) {
  const href = formatRoute(listRoute({ merchantReference: text }));
  return h(
    'p',
    { class: 'search-more' },
    h('a', { href }, `Show all transactions with ${text} as your reference`),
  );
}
