import { useEffect } from 'preact/hooks';
import type { SearchQuery } from '../../client/src/search.ts';
import { csvOf } from '../export/found-file.ts';
import { saveFile } from '../export/save-file.ts';
import { Button } from '../parts/button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { LoadingTable } from '../parts/loading-table.tsx';
import { OrderSums } from '../parts/order-sums.tsx';
import { Panel } from '../parts/panel.tsx';
import { TableBar } from '../parts/table-bar.tsx';
import { announce } from '../state/announce.ts';
import type { Api, Transaction } from '../state/api.ts';
import { addressOf, formatRoute, listRoute } from '../state/route.ts';
import { useLoad } from '../state/use-load.ts';
import { useRoute } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import { dayIn, timeParts } from '../text/time.ts';
import { FoundTable } from './found-table.tsx';
import {
  describeTerms,
  hasWholeWords,
  isMatch,
  readSearch,
  type SearchTerms,
  searchQuery,
} from './read-search.ts';
import { type SearchProgress, useSearch } from './use-search.ts';

interface TermsResultProps {
  api: Api;
  account: string;
  /** No transaction has it as a reference of either kind. */
  text: string;
  terms: SearchTerms;
}

/** The transactions with some terms, as they are found. */
export function TermsResult(props: TermsResultProps) {
  const { zone } = useRoute();
  const { api, terms } = props;
  const query = searchQuery(terms, zone);
  return (
    <>
      {query === undefined ? (
        <NothingFound {...props} isSearched={false} />
      ) : (
        <Searched {...props} query={query} />
      )}
      {terms.other !== undefined && <OtherReading api={api} text={terms.other} />}
    </>
  );
}

function Searched(props: TermsResultProps & { query: SearchQuery }) {
  const { api, terms, query } = props;
  const { progress, stop, goOn } = useSearch(api, query, (one) => isMatch(one, terms));
  const { state, found, failure } = progress;
  useEffect(() => {
    // A failure is an alert, which speaks for itself.
    if (state !== 'searching') announce(failure ? '' : `${counted(found.length, 'transaction')} found`);
  }, [state]);
  if (state === 'done' && found.length === 0) return <NothingFound {...props} isSearched />;
  return (
    <>
      <TableBar transactions={found}>
        <Progress progress={progress} terms={terms} onStop={stop} onGoOn={goOn} />
      </TableBar>
      {found.length > 0 && <FoundTable transactions={inOrder(found, terms.words)} words={terms.words} />}
      {/* A sum of some of them would be wrong. */}
      {state === 'done' && <Sums account={props.account} transactions={found} />}
      {found.length === 0 && (state === 'searching' || state === 'waiting') && <LoadingTable />}
      {failure && <FailurePanel failure={failure} retry={undefined} onRetry={goOn} />}
    </>
  );
}

/** What all that was found adds up to, and a file of it. */
function Sums({ account, transactions }: { account: string; transactions: readonly Transaction[] }) {
  const { zone } = useRoute();
  return (
    <div class="summary-note">
      <OrderSums
        transactions={transactions}
        label={`${counted(transactions.length, 'transaction')} found:`}
      />
      <Button onClick={() => saveFile(`${account}_found_${dayIn(zone)}.csv`, csvOf(transactions))}>
        <Icon name="download" />
        Save as CSV
      </Button>
    </div>
  );
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
function OfDay({ day, from = day }: { day: string; from?: string | undefined }) {
  const { zone } = useRoute();
  return (
    <>
      Only what is paid has a day of payment.{' '}
      <a href={addressOf(listRoute({ from, to: day }), zone)}>
        Show what was created {from === day ? `on ${day}` : `${from} to ${day}`} ({zone})
      </a>
    </>
  );
}

interface ProgressProps {
  progress: SearchProgress;
  terms: SearchTerms;
  onStop(): void;
  onGoOn(): void;
}

/** How much was found, how far back everything was compared, and a button to stop or to go on. */
function Progress({ progress, terms, onStop, onGoOn }: ProgressProps) {
  const { zone } = useRoute();
  const { state, found, searchedBackTo } = progress;
  const isRunning = state === 'searching' || state === 'waiting';
  const place =
    state === 'done' || searchedBackTo === null
      ? ''
      : `Searched back to ${timeParts(searchedBackTo, zone).day}. `;
  return (
    <p class="search-progress">
      {counted(found.length, 'transaction')} found. {place}
      {terms.day !== undefined && state === 'done' ? '' : TOLD[state]}
      {terms.day !== undefined && state === 'done' && (
        <span>
          <OfDay day={terms.day} from={terms.from} />
        </span>
      )}
      {isRunning && <Button onClick={onStop}>Stop</Button>}
      {(state === 'stopped' || state === 'full') && <Button onClick={onGoOn}>Go on</Button>}
    </p>
  );
}

/** What the text can also mean, with how many transactions that finds in one request. */
function OtherReading({ api, text }: { api: Api; text: string }) {
  const { zone } = useRoute();
  const terms = readSearch(text, dayIn(zone));
  const query = searchQuery(terms, zone);
  const { loaded } = useLoad(`${zone} ${text}`, async (signal) => query && api.search(query, signal));
  const page = loaded.state === 'loaded' ? loaded.value : undefined;
  const count = page?.data.filter((one) => isMatch(one, terms)).length ?? 0;
  if (count === 0 && page?.hasMore !== true) return null;
  return (
    <p class="search-more">
      Or{' '}
      <a href={formatRoute({ view: 'search', text })}>
        {describeTerms(terms, zone)}: {counted(count, 'transaction')}
        {page?.hasMore ? ' or more' : ''}
      </a>
    </p>
  );
}

interface NothingFoundProps extends TermsResultProps {
  /** False for what cannot be searched for. */
  isSearched: boolean;
}

function NothingFound({ account, text, terms, isSearched }: NothingFoundProps) {
  const { zone } = useRoute();
  return (
    <Panel
      icon="search"
      title="Nothing was found"
      isAlert
      actions={
        <a class="button" href={formatRoute(listRoute())}>
          All transactions
        </a>
      }
    >
      <p>
        The account <code>{account}</code> has no transaction{' '}
        {isSearched ? (
          <>
            <b>{describeTerms(terms, zone)}</b>.{' '}
            {terms.day === undefined ? ALL_SEARCHED : <OfDay day={terms.day} from={terms.from} />}
          </>
        ) : (
          <>
            with exactly the reference <code>{text}</code>. A part of one, or of a detail, needs at least 3
            characters, and none has more than 255.
          </>
        )}
      </p>
      <p>
        Search for a part of a reference (#10482) or of a detail, such as a customer, an amount (49.90 or EUR
        50), a day of payment (24 Nov, yesterday or 2026-10-13), or several together. For a payment of another
        account, sign in with its key.
      </p>
    </Panel>
  );
}
