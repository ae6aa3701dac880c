import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import type { SearchQuery } from '../../client/src/search.ts';
import { FailurePanel } from '../parts/failure-panel.ts';
import { LoadingTable } from '../parts/loading-table.ts';
import { Panel } from '../parts/panel.ts';
import { ZoneSwitch } from '../parts/zone-switch.ts';
import { announce } from '../state/announce.ts';
import type { Api, Transaction } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { addressOf, formatRoute, listRoute } from '../state/route.ts';
import { counted } from '../text/count.ts';
import { timeParts } from '../text/time.ts';
import { FoundTable } from './found-table.ts';
import { describeTerms, hasWholeWords, hasWords, type SearchTerms, searchQuery } from './read-search.ts';
import { type SearchProgress, useSearch } from './use-search.ts';

interface TermsResultProps {
  api: Api;
  account: string;
  /** No transaction has it as a reference of either kind. */
  text: string;
  terms: SearchTerms;
  zone: string;
  onZone(zone: string): void;
  onFailure(failure: Failure): void;
}

/** The transactions with some terms, as they are found. */
export function TermsResult(props: TermsResultProps) {
  if (props.terms.unclear) return h(UnclearDay, { text: props.text, ...props.terms.unclear });
  const query = searchQuery(props.terms, props.zone);
  return query === undefined
    ? h(NothingFound, { ...props, isSearched: false })
    : h(Searched, { ...props, query });
}

function Searched(props: TermsResultProps & { query: SearchQuery }) {
  const { api, terms, zone, query, onZone, onFailure } = props;
  const isMatch = (one: Parameters<typeof hasWords>[0]) => hasWords(one, terms.words);
  const { progress, stop, goOn } = useSearch(api, query, isMatch, onFailure);
  const { state, found, failure } = progress;
  useEffect(() => {
    // A failure is an alert, which speaks for itself.
    if (state !== 'searching') announce(failure ? '' : `${counted(found.length, 'transaction')} found`);
  }, [state]);
  if (state === 'done' && found.length === 0) return h(NothingFound, { ...props, isSearched: true });
  return [
    h(
      'div',
      { class: 'table-bar' },
      h(Progress, { progress, terms, zone, onStop: stop, onGoOn: goOn }),
      h(ZoneSwitch, { zone, onChange: onZone }),
    ),
    found.length > 0 && h(FoundTable, { transactions: inOrder(found, terms.words), zone }),
    found.length === 0 && (state === 'searching' || state === 'waiting') && h(LoadingTable, null),
    failure && h(FailurePanel, { failure, retry: undefined, onRetry: goOn }),
  ];
}

/** An order number comes before longer numbers that contain it. */
function inOrder(found: readonly Transaction[], words: readonly string[]): readonly Transaction[] {
  const { whole = [], others = [] } = Object.groupBy(found, (one) =>
    hasWholeWords(one, words) ? 'whole' : 'others',
  );
  return [...whole, ...others];
}

const ALL_SEARCHED = 'All days and all statuses were searched.';

const TOLD: Readonly<Record<SearchProgress['state'], string>> = {
  searching: 'Searching\u2026',
  waiting: 'Waiting for the rate limit\u2026',
  stopped: 'Stopped.',
  failed: '',
  full: 'There can be more.',
  done: ALL_SEARCHED,
};

/** Leads to what has no day of payment: a customer who believes that he paid can have a payment that failed. */
function OfDay({ day, zone }: { day: string; zone: string }) {
  return [
    'Only what is paid has a day of payment. ',
    h(
      'a',
      { href: addressOf(listRoute({ from: day, to: day }), zone), key: 'created' },
      `Show what was created on ${day} (${zone})`,
    ),
  ];
}

interface ProgressProps {
  progress: SearchProgress;
  terms: SearchTerms;
  zone: string;
  onStop(): void;
  onGoOn(): void;
}

/** How much was found, how far back everything was compared, and a button to stop or to go on. */
function Progress({ progress, terms, zone, onStop, onGoOn }: ProgressProps) {
  const { state, found, searchedBackTo } = progress;
  const isRunning = state === 'searching' || state === 'waiting';
  const place =
    state === 'done' || searchedBackTo === null
      ? ''
      : `Searched back to ${timeParts(searchedBackTo, zone).day}. `;
  return h(
    'p',
    { class: 'search-progress' },
    `${counted(found.length, 'transaction')} found. ${place}${terms.day !== undefined && state === 'done' ? '' : TOLD[state]}`,
    terms.day !== undefined && state === 'done' && h('span', null, h(OfDay, { day: terms.day, zone })),
    isRunning && h('button', { type: 'button', class: 'button', onClick: onStop }, 'Stop'),
    (state === 'stopped' || state === 'full') &&
      h('button', { type: 'button', class: 'button', onClick: onGoOn }, 'Go on'),
  );
}

/** Asks which of two days is meant. */
function UnclearDay({ text, word, days }: { text: string; word: string; days: readonly string[] }) {
  return h(
    Panel,
    {
      icon: 'search',
      title: `Which day is ${word}?`,
      isAlert: true,
      actions: days.map((day) => {
        const href = formatRoute({ view: 'search', text: text.replace(word, day) });
        return h('a', { class: 'button', href, key: day }, `Search on ${day}`);
      }),
    },
    h('p', null, `Write it as ${days.join(' or ')}, or as 24 Nov.`),
  );
}

interface NothingFoundProps extends TermsResultProps {
  /** False for what cannot be searched for. */
  isSearched: boolean;
}

function NothingFound({ account, text, terms, zone, isSearched }: NothingFoundProps) {
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
      'The account ',
      h('code', null, account),
      ' has no transaction ',
      isSearched
        ? [
            h('b', { key: 'terms' }, describeTerms(terms, zone)),
            '. ',
            terms.day === undefined ? ALL_SEARCHED : h(OfDay, { day: terms.day, zone }),
          ]
        : [
            'with exactly the reference ',
            h('code', { key: 'text' }, text),
            '. A part of one needs at least 3 characters, and none has more than 255.',
          ],
    ),
    h(
      'p',
      null,
      'Search for a part of a reference (#10482), an amount (49.90 or EUR 50), a day of payment (24 Nov, yesterday or 2026-10-13), or several together. For a payment of another account, sign in with its key.',
    ),
  );
}
