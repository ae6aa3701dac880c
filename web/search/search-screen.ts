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
import type { Failure } from '../state/failure.ts';
import { formatRoute, listRoute } from '../state/route.ts';
import { isKey } from '../state/search-text.ts';
import { setTitle } from '../state/title.ts';
import { useLoad } from '../state/use-load.ts';
import { navigate } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import type { TimeZoneChoice } from '../text/time.ts';

/** The most characters of a merchant's reference: longer texts find nothing. */
const MAX_MERCHANT_REFERENCE = 255;
/** Whether a text can be a reference: no path can have "." or "..". */
const canBeReference = (text: string) => text.length <= 64 && !/^\.{1,2}$/.test(text);

interface SearchScreenProps {
  api: Api;
  account: string;
  text: string;
  /** A new number sends the requests again. */
  visit: number;
  zone: TimeZoneChoice;
  onZone(zone: TimeZoneChoice): void;
  onFailure(failure: Failure): void;
}

interface Found {
  transactions: readonly Transaction[];
  /** The texts that more transactions have as the merchant's reference than are shown. */
  more: readonly string[];
  /** The texts in lower or in upper case that were found in place of the text itself. */
  instead: readonly string[];
}

/**
 * What a text finds: the transaction with this reference, and those with this merchant's reference. A single one is shown at once.
 * A text that finds nothing is also searched in lower and in upper case; a match of those is shown as what it is, even a single one.
 */
export function SearchScreen(props: SearchScreenProps) {
  const { api, account, text, visit, zone, onZone, onFailure } = props;
  const { loaded, reload } = useLoad(`${visit} ${text}`, (signal) => search(api, text, signal), onFailure);
  const heading = useRef<HTMLHeadingElement>(null);
  const { state } = loaded;
  const found = loaded.state === 'loaded' ? loaded.value : undefined;
  const isExact = found?.instead.length === 0;
  const single = isExact && found.transactions.length === 1 ? found.transactions[0] : undefined;
  useEffect(() => {
    setTitle(`Find ${text}`);
    heading.current?.focus();
    return () => announce('');
  }, [text]);
  useFieldText(text, isExact && found.transactions.length > 0);
  useEffect(() => {
    if (single !== undefined) navigate({ view: 'transaction', reference: single.reference }, [], true);
    // A failure is an alert, which speaks for itself.
    else if (state === 'failed') announce('');
    else announce(found === undefined ? 'Searching' : announcement(found));
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
        found && found.instead.length > 0 ? 'with other capitals than ' : 'with the reference ',
        h('code', null, text),
        ', yours or ours',
      ),
    ),
    loaded.state === 'failed'
      ? h(FailurePanel, { ...loaded, onRetry: reload })
      : found === undefined || single !== undefined
        ? h(LoadingTable, null)
        : found.transactions.length === 0
          ? h(NothingFound, { account, text })
          : [
              !isExact && h(OtherCapitals, { text, ...found }),
              h('div', { class: 'table-bar' }, h(ZoneSwitch, { zone, onChange: onZone })),
              h(TransactionsTable, {
                transactions: found.transactions,
                zone,
                caption: 'Transactions that were found, newest first',
                isLoading: false,
              }),
              found.more.map((one) => h(MoreLink, { text: one, key: one })),
            ],
  );
}

const announcement = ({ transactions: { length }, instead }: Found) =>
  `${counted(length, 'transaction')} found${instead.length > 0 ? ', with other capitals' : ''}`;

/** Puts the text back into the field of the search while it has not found anything, so that a typo can be corrected. */
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

async function search(api: Api, text: string, signal: AbortSignal): Promise<Found> {
  const exact = await searchExactly(api, text, signal);
  if (exact.transactions.length > 0) return { ...exact, instead: [] };
  const others = otherCapitals(text);
  const found = await Promise.all(others.map((one) => searchExactly(api, one, signal)));
  const byReference = new Map(
    found.flatMap(({ transactions }) => transactions.map((one) => [one.reference, one] as const)),
  );
  const transactions = [...byReference.values()];
  return {
    transactions: transactions.sort(
      (left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt),
    ),
    more: found.flatMap(({ more }) => more),
    instead: others.filter((_, index) => (found[index] as typeof exact).transactions.length > 0),
  };
}

/** The text in lower and in upper case, where that differs. A key in upper case must not get into a request in lower case. */
const otherCapitals = (text: string) =>
  [text.toLowerCase(), text.toUpperCase()].filter((one) => one !== text && !isKey(one));

async function searchExactly(api: Api, text: string, signal: AbortSignal): Promise<Omit<Found, 'instead'>> {
  const [one, page] = await Promise.all([
    canBeReference(text) ? api.retrieve(text, signal).catch(undefinedIfNotFound) : undefined,
    text.length > MAX_MERCHANT_REFERENCE ? undefined : api.page({ merchantReference: text }, signal),
  ]);
  const others = (page?.data ?? []).filter(({ reference }) => reference !== one?.reference);
  return { transactions: one === undefined ? others : [one, ...others], more: page?.hasMore ? [text] : [] };
}

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof NotFoundError) return undefined;
  throw error;
}

/** Says that the text itself was not found. */
function OtherCapitals({ text, instead, transactions }: Found & { text: string }) {
  return h(
    'p',
    { class: 'search-note' },
    'Nothing has exactly the reference ',
    h('code', null, text),
    transactions.length === 1 ? '. This one has ' : '. These have ',
    codes(instead),
    ', with other capitals.',
  );
}

/** "a" or "a or A". */
const codes = (texts: readonly string[]) =>
  texts.map((one, index) => [index > 0 && ' or ', h('code', { key: one }, one)]);

function NothingFound({ account, text }: { account: string; text: string }) {
  const others = otherCapitals(text);
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
      ' as its reference, and none has it as your reference. ',
      others.length > 0 && ['None has ', codes(others), ' either. '],
      'All days and all statuses were searched.',
    ),
    h(
      'p',
      null,
      'A reference must be complete, with its leading zeros and inner spaces. If you know only the day, the currency or the status, filter the list. If the payment belongs to another account, sign in with a key of that account.',
    ),
  );
}

function MoreLink({ text }: { text: string }) {
  const href = formatRoute(listRoute({ merchantReference: text }));
  return h(
    'p',
    { class: 'search-more' },
    h('a', { href }, `Show all transactions with ${text} as your reference`),
  );
}
