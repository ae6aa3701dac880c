import { useEffect } from 'preact/hooks';
import { searchQuery } from '../../client/search-text/read-search.ts';
import { REFERENCE_MAX_CHARACTERS } from '../../values/interface/limits.ts';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { LoadingTable } from '../parts/loading-table.tsx';
import { TableBar } from '../parts/table-bar.tsx';
import { ZoneSwitch } from '../parts/zone-switch.tsx';
import { announce } from '../state/announce.ts';
import { type Api, type Transaction, undefinedIfNotFound } from '../state/api.ts';
import { formatRoute, listRoute } from '../state/route.ts';
import { useHeading } from '../state/title.ts';
import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { describeTerms } from './describe-terms.ts';
import { useFieldText } from './field-text.ts';
import { FoundSums } from './found-sums.tsx';
import { termsOf } from './terms-of.ts';
import { FoundTable, TermsResult } from './terms-result.tsx';

const canBeReference = (text: string) => /^(?!\.{1,2}$)[\w.-]{1,64}$/.test(text);

interface SearchScreenProps {
  account: string;
  text: string;
}

export function SearchScreen(props: SearchScreenProps) {
  const { zone, visit } = useRoute();
  const { text } = props;
  const api = useApi();
  const { loaded, reload } = useLoad(`${visit} ${text}`, (signal) => findExactly(api, text, signal));
  const { state } = loaded;
  const { found, hasMore } = loaded.state === 'loaded' ? loaded.value : { found: undefined, hasMore: false };
  const single = found?.length === 1 ? found[0] : undefined;
  const isExact = found === undefined || found.length > 0;
  const terms = termsOf(text, zone);
  const { status, day, from = day } = terms;
  const isStatus = status !== undefined && terms.words.length === 0 && searchQuery(terms, zone) === undefined;
  useHeading(texts.$findText(text));
  useFieldText(text, isExact && state === 'loaded');
  useEffect(() => {
    if (single !== undefined)
      navigate({ view: 'transaction', reference: single.reference }, [], { isReplaced: true });
    else if (found?.length === 0 && isStatus)
      navigate(listRoute({ status, ...(day && from && { from, to: day }) }), [], { isReplaced: true });
    // A failure is not announced, because it is shown in an alert, and screen readers speak alerts anyway.
    else if (state === 'failed') announce('');
    else if (found === undefined) announce(texts.$searching);
    else if (isExact) announce(counted(found.length, texts.$found));
  }, [found, state]);

  return (
    <main id="main">
      <div class="heading">
        <h1 tabIndex={-1}>{texts.$transactions}</h1>
        <p class="heading-filter">
          {isExact || searchQuery(terms, zone) === undefined
            ? texts.$withReference(<code>{text}</code>)
            : describeTerms(terms, zone)}
        </p>
        <ZoneSwitch />
      </div>
      {loaded.state === 'failed' ? (
        <FailurePanel {...loaded} onRetry={reload} />
      ) : found === undefined || single !== undefined || (isStatus && found.length === 0) ? (
        <LoadingTable />
      ) : isExact ? (
        <>
          <TableBar transactions={found} />
          <FoundTable transactions={found} />
          {!hasMore && <FoundSums account={props.account} transactions={found} />}
          <p class="search-more">
            <a href={formatRoute(listRoute({ merchantReference: text }))}>{texts.$filterByReference(text)}</a>
          </p>
        </>
      ) : (
        <TermsResult key={`${visit} ${text} ${terms.day && zone}`} {...props} terms={terms} />
      )}
    </main>
  );
}

interface Found {
  found: Transaction[];
  hasMore: boolean;
}

async function findExactly(api: Api, text: string, signal: AbortSignal): Promise<Found> {
  const [one, page] = await Promise.all([
    canBeReference(text) ? api.retrieve(text, signal).catch(undefinedIfNotFound) : undefined,
    text.length > REFERENCE_MAX_CHARACTERS ? undefined : api.page({ merchantReference: text }, signal),
  ]);
  const others = (page?.data ?? []).filter(({ reference }) => reference !== one?.reference);
  return { found: one === undefined ? others : [one, ...others], hasMore: page?.hasMore === true };
}
