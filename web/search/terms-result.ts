import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import type { SearchQuery } from '../../client/src/search.ts';
import { FailurePanel } from '../parts/failure-panel.ts';
import { LoadingTable } from '../parts/loading-table.ts';
import { Panel } from '../parts/panel.ts';
import { ZoneSwitch } from '../parts/zone-switch.ts';
import { announce } from '../state/announce.ts';
import type { Api } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { formatRoute, listRoute } from '../state/route.ts';
import { counted } from '../text/count.ts';
import { localZoneName, type TimeZoneChoice, timeParts } from '../text/time.ts';
import { FoundTable } from './found-table.ts';
import { describeTerms, hasWords, type SearchTerms, searchQuery } from './read-search.ts';
import { type SearchProgress, useSearch } from './use-search.ts';

interface TermsResultProps {
  api: Api;
  account: string;
  /** No transaction has it as a reference of either kind. */
  text: string;
  terms: SearchTerms;
  zone: TimeZoneChoice;
  onZone(zone: TimeZoneChoice): void;
  onFailure(failure: Failure): void;
}

export const zoneName = (zone: TimeZoneChoice): string => (zone === 'utc' ? 'UTC' : localZoneName());

/** The transactions with some terms, as they are found. */
export function TermsResult(props: TermsResultProps) {
  const query = searchQuery(props.terms, zoneName(props.zone));
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
      h(Progress, { progress, zone, onStop: stop, onGoOn: goOn }),
      h(ZoneSwitch, { zone, onChange: onZone }),
    ),
    found.length > 0 && h(FoundTable, { transactions: found, zone }),
    found.length === 0 && (state === 'searching' || state === 'waiting') && h(LoadingTable, null),
    failure && h(FailurePanel, { failure, retry: undefined, onRetry: goOn }),
  ];
}

interface ProgressProps {
  progress: SearchProgress;
  zone: TimeZoneChoice;
  onStop(): void;
  onGoOn(): void;
}

/** How much was found, how far back everything was compared, and a button to stop or to go on. */
function Progress({ progress, zone, onStop, onGoOn }: ProgressProps) {
  const { state, found, searchedBackTo } = progress;
  const isRunning = state === 'searching' || state === 'waiting';
  const place = searchedBackTo && `back to ${timeParts(searchedBackTo, zone).day}`;
  const told = {
    searching: ['Searching', place].filter(Boolean).join(' '),
    waiting: `${place ? `Searched ${place}. ` : ''}The service limits how often it is asked: the search goes on soon`,
    stopped: `Stopped${place ? `: searched ${place}` : ''}`,
    full: `Searched ${place}; there can be more`,
    failed: place ? `Searched ${place}` : 'Not searched yet',
    done: 'All days and all statuses were searched',
  }[state];
  return h(
    'p',
    { class: 'search-progress' },
    `${counted(found.length, 'transaction')} found. ${told}${isRunning ? '\u2026' : '.'}`,
    isRunning && h('button', { type: 'button', class: 'button', onClick: onStop }, 'Stop'),
    (state === 'stopped' || state === 'full') &&
      h('button', { type: 'button', class: 'button', onClick: onGoOn }, 'Go on'),
  );
}

interface NothingFoundProps extends TermsResultProps {
  /** False for what cannot be searched for. */
  isSearched: boolean;
}

function NothingFound({ account, text, terms, zone, isSearched }: NothingFoundProps) {
  const { day } = terms;
  const ofDay = isSearched && day && formatRoute(listRoute({ from: day, to: day }));
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
            h('b', { key: 'terms' }, describeTerms(terms, zoneName(zone))),
            '. All days and all statuses were searched.',
          ]
        : [
            'with exactly the reference ',
            h('code', { key: 'text' }, text),
            '. A part of a reference is searched for if it has at least 3 characters. No reference has more than 255.',
          ],
    ),
    ofDay && h('p', null, h('a', { href: ofDay }, `Show what was created on ${day} (UTC)`)),
    h(
      'p',
      null,
      'You can search for a part of a reference (#10482), an amount (49.90 or EUR 50), a day of payment (2026-10-13 or 13.10.2026), or several of them together. If the payment belongs to another account, sign in with a key of that account.',
    ),
  );
}
