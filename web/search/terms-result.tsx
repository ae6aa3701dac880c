import { useEffect, useMemo } from 'preact/hooks';
import {
  hasWholeWords,
  isMatch,
  type SearchTerms,
  searchQuery,
} from '../../client/search-text/read-search.ts';
import type { SearchQuery } from '../../client/src/search.ts';
import { ArchivedOfAccount } from '../parts/archived-note.tsx';
import { Button } from '../parts/button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { LoadingTable } from '../parts/loading-table.tsx';
import { Panel } from '../parts/panel.tsx';
import { TableBar } from '../parts/table-bar.tsx';
import { TransactionsTable } from '../parts/transactions-table.tsx';
import { announce } from '../state/announce.ts';
import type { Transaction } from '../state/api.ts';
import { addressOf, formatRoute, listRoute } from '../state/route.ts';
import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { useRoute } from '../state/use-route.ts';
import { counted, number } from '../text/count.ts';
import { locale, texts } from '../text/language.ts';
import { daysWithin, dayText } from '../text/month.ts';
import { timeParts } from '../text/time.ts';
import { describeTerms } from './describe-terms.ts';
import { FoundSums } from './found-sums.tsx';
import { termsOf } from './terms-of.ts';
import { type SearchProgress, useSearch } from './use-search.ts';

/** A browser would need seconds to show more rows. The sums and the saved file include all found rows. */
const MAX_SHOWN = 1000;

interface TermsResultProps {
  account: string;
  text: string;
  terms: SearchTerms;
  tried?: readonly string[];
}

export function TermsResult(props: TermsResultProps) {
  const { zone } = useRoute();
  const query = searchQuery(props.terms, zone);
  return query === undefined ? (
    <NothingFound {...props} isSearched={false} />
  ) : (
    <Searched {...props} query={query} />
  );
}

function Searched(props: TermsResultProps & { query: SearchQuery }) {
  const { zone } = useRoute();
  const { account, terms, query, tried = [] } = props;
  const { progress, stop, goOn } = useSearch(query, (one) => isMatch(one, terms));
  const { state, found, failure } = progress;
  // The table is memoised, so that a full table is not rendered for each request of a long search.
  const table = useMemo(() => {
    const shown = wholeWordsFirst(found.slice(0, MAX_SHOWN), terms.words);
    return shown.length > 0 && <FoundTable transactions={shown} words={terms.words} />;
  }, [Math.min(found.length, MAX_SHOWN)]);
  useEffect(() => {
    if (state !== 'searching') announce(failure ? '' : counted(found.length, texts.$found));
  }, [state]);
  if (state === 'done' && found.length === 0)
    return terms.others.length === 0 ? <NothingFound {...props} isSearched /> : <OtherInstead {...props} />;
  return (
    <>
      {tried.length > 0 && (
        <p class="search-more">
          {texts.$noneWithTerms(<code>{account}</code>, <b>{eitherOf(tried)}</b>)}
          {texts.$or}
          {describeTerms(terms, zone)}:
        </p>
      )}
      <TableBar transactions={found.slice(0, MAX_SHOWN)}>
        <Progress progress={progress} terms={terms} onStop={stop} onGoOn={goOn} />
      </TableBar>
      {table}
      {found.length > MAX_SHOWN && <p class="search-more">{texts.$onlyShown(number(MAX_SHOWN))}</p>}
      {state === 'done' && <FoundSums account={account} transactions={found} />}
      {state === 'done' && <ArchivedOfAccount />}
      {found.length === 0 && (state === 'searching' || state === 'waiting') && <LoadingTable />}
      {failure && <FailurePanel failure={failure} retry={undefined} onRetry={goOn} />}
      {terms.others.map((text) => (
        <OtherReading key={text} text={text} />
      ))}
    </>
  );
}

function wholeWordsFirst(found: readonly Transaction[], words: readonly string[]): readonly Transaction[] {
  const { whole = [], others = [] } = Object.groupBy(found, (one) =>
    hasWholeWords(one, words) ? 'whole' : 'others',
  );
  return [...whole, ...others];
}

const STATE_TEXTS: Readonly<Record<Exclude<SearchProgress['state'], 'done'>, string>> = {
  searching: texts.$isSearching,
  waiting: texts.$isWaiting,
  stopped: texts.$isStopped,
  failed: '',
  full: texts.$isFull,
};

function OfDay({ day, from = day }: { day: string; from?: string | undefined }) {
  const { zone } = useRoute();
  return (
    <>
      {texts.$onlyPaidHasDay}
      <a href={addressOf(listRoute({ from, to: day }), zone)}>
        {texts.$showCreated(daysWithin({ from, to: day }), zone)}
      </a>
    </>
  );
}

function AllSearched({ terms: { day, from, status, isUnpaid } }: Pick<TermsResultProps, 'terms'>) {
  if (day === undefined) return <>{status === undefined && texts.$allSearched}</>;
  return <span>{!isUnpaid && <OfDay day={day} from={from} />}</span>;
}

interface ProgressProps {
  progress: SearchProgress;
  terms: SearchTerms;
  onStop(): void;
  onGoOn(): void;
}

function Progress({ progress, terms, onStop, onGoOn }: ProgressProps) {
  const { zone } = useRoute();
  const { state, found, searchedBackTo } = progress;
  const isRunning = state === 'searching' || state === 'waiting';
  const place =
    state === 'done' || searchedBackTo === null
      ? ''
      : texts.$searchedBackTo(dayText(timeParts(searchedBackTo, zone).day));
  return (
    <p class="search-progress">
      {`${counted(found.length, texts.$found)}. `}
      {place}
      {state === 'done' ? <AllSearched terms={terms} /> : STATE_TEXTS[state]}
      {isRunning && <Button onClick={onStop}>{texts.$stop}</Button>}
      {(state === 'stopped' || state === 'full') && <Button onClick={onGoOn}>{texts.$goOn}</Button>}
    </p>
  );
}

function OtherInstead(props: TermsResultProps) {
  const { zone } = useRoute();
  const [other = '', ...others] = props.terms.others;
  const tried = [...(props.tried ?? []), describeTerms(props.terms, zone)];
  return <TermsResult key={other} {...props} terms={{ ...termsOf(other, zone), others }} tried={tried} />;
}

const eitherOf = (meanings: readonly string[]) =>
  new Intl.ListFormat(locale, { type: 'disjunction' }).format(meanings);

function OtherReading({ text }: { text: string }) {
  const api = useApi();
  const { zone } = useRoute();
  const terms = termsOf(text, zone);
  const query = searchQuery(terms, zone);
  const { loaded } = useLoad(`${zone} ${text}`, async (signal) => query && api.search(query, signal));
  const page = loaded.state === 'loaded' ? loaded.value : undefined;
  const count = page?.data.filter((one) => isMatch(one, terms)).length ?? 0;
  if (count === 0 && page?.hasMore !== true) return null;
  return (
    <p class="search-more">
      {texts.$or}
      <a href={formatRoute({ view: 'search', text })}>
        {texts.$otherReading(
          describeTerms(terms, zone),
          counted(count, texts.$transaction),
          page?.hasMore === true,
        )}
      </a>
    </p>
  );
}

interface NothingFoundProps extends TermsResultProps {
  isSearched: boolean;
}

function NothingFound({ account, text, terms, tried = [], isSearched }: NothingFoundProps) {
  const { zone } = useRoute();
  return (
    <Panel
      icon="search"
      title={texts.$nothingFound}
      actions={
        <a class="button" href={formatRoute(listRoute())}>
          {texts.$allTransactions}
        </a>
      }
    >
      <p>
        {isSearched
          ? texts.$noneWithTerms(<code>{account}</code>, <b>{tried[0] ?? describeTerms(terms, zone)}</b>)
          : texts.$noneWithReference(<code>{account}</code>, <code>{text}</code>)}
        {isSearched && <AllSearched terms={terms} />}
      </p>
      {isSearched && withoutOne(text).map((shorter) => <OtherReading key={shorter} text={shorter} />)}
      <p class="help">{texts.$searchHelp}</p>
      <ArchivedOfAccount />
    </Panel>
  );
}

const MAX_PARTS = 4;

const withoutOne = (text: string): string[] => {
  const parts = text.trim().split(/\s+/);
  if (parts.length === 1 || parts.length > MAX_PARTS) return [];
  return parts.map((_, index) => parts.toSpliced(index, 1).join(' '));
};

interface FoundTableProps {
  transactions: readonly Transaction[];
  words?: readonly string[];
}

export const FoundTable = (props: FoundTableProps) => (
  <TransactionsTable {...props} caption={texts.$foundCaption} isLoading={false} />
);
