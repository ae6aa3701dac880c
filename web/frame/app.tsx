import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { WRONG_CLOCK_MS } from '../../values/clock.ts';
import { ListScreen } from '../list/list-screen.tsx';
import { Button } from '../parts/button.tsx';
import { ReturnLink } from '../parts/return-link.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { connect } from '../state/api.ts';
import { aheadMs, nowMs } from '../state/clock.ts';
import type { FileOrder } from '../state/file-order.ts';
import { platform, returnUrl } from '../state/return-link.ts';
import { describeFilter, isFiltered, type Route } from '../state/route.ts';
import type { Session } from '../state/session.ts';
import { endsSoon, session } from '../state/signed-in.ts';
import { UserApi } from '../state/use-api.ts';
import { useList } from '../state/use-list.ts';
import { useLive } from '../state/use-live.ts';
import { LocationOfList, navigate, useRoute, useWholeAddress } from '../state/use-route.ts';
import { ageText } from '../text/age.ts';
import { chooseLanguage, LANGUAGES, type Language, language, texts } from '../text/language.ts';
import { dayText } from '../text/month.ts';
import { minuteOf } from '../text/session-text.ts';
import { timeParts } from '../text/time.ts';
import { TransactionScreen } from '../transaction/transaction-screen.tsx';
import { NoReadScreen } from '../webhooks/no-read-screen.tsx';
import { later } from './later.tsx';
import { MisspeltScreen } from './misspelt-screen.tsx';
import { OtherAccountScreen } from './other-account-screen.tsx';
import { TopBar } from './top-bar.tsx';

const WebhooksScreen = later('webhooks', async () => {
  const { WebhooksScreen } = await import('../webhooks/webhooks-screen.tsx');
  return WebhooksScreen;
});

const ReconcileScreen = later('reconcile', async () => {
  const { ReconcileScreen } = await import('../reconcile/reconcile-screen.tsx');
  return ReconcileScreen;
});

const ReviewScreen = later('review', async () => {
  const { ReviewScreen } = await import('../review/review-screen.tsx');
  return ReviewScreen;
});

const SearchScreen = later('search', async () => {
  const { SearchScreen } = await import('../search/search-screen.tsx');
  return SearchScreen;
});

const ExportPanel = later(
  'export',
  async () => {
    const { ExportPanel } = await import('../export/export-panel.tsx');
    return ExportPanel;
  },
  ({ failure }) => <>{failure}</>,
);

export function App() {
  const user = session.use();
  const { view } = useRoute().route;
  // If `aheadMs` changes, App renders all screens again, because they show times.
  const ahead = aheadMs.use();
  return (
    <>
      {SKIPS.slice(0, user !== null && view === 'list' ? SKIPS.length : 1).map(([target, text]) => (
        <a class="skip" href="#main" onClick={skipTo(target)}>
          {text}
        </a>
      ))}
      <TopBar />
      <EndsSoon />
      <div class="ends-soon" role="status">
        {Math.abs(ahead) > WRONG_CLOCK_MS && (
          <p>{texts.$clockIsWrong(ageText(Math.abs(ahead)), ahead > 0)}</p>
        )}
      </div>
      {user === null ? <SignIn /> : <Screens key={user.key} user={user} />}
      <Foot />
      <p id="announcements" class="visually-hidden" role="status" />
    </>
  );
}

const SKIPS = [
  ['#main h1', texts.$skipToContent],
  ['.transactions a', texts.$skipToList],
  ['.pager button', texts.$skipToPages],
] as const;

/** Following the link would change the fragment, which is the route. So this moves the focus instead. */
const skipTo = (target: string) => (event: MouseEvent) => {
  event.preventDefault();
  document.querySelector<HTMLElement>(target)?.focus();
};

function Screens({ user }: { user: Session }) {
  const { key: apiKey, account, scopes } = user;
  const api = useMemo(() => connect(apiKey), [apiKey]);
  const [order, setOrder] = useState<FileOrder>();
  const [isSaving, setIsSaving] = useState(false);
  const { route, linkedAccount, cameFrom } = useRoute();
  const list = useList();
  useWholeAddress(account);

  const live = useLive(scopes.includes('read') ? apiKey : undefined, account);
  const screen = () => {
    if (route.view === 'misspelt') return <MisspeltScreen route={route} />;
    if (linkedAccount !== undefined && linkedAccount !== account)
      return <OtherAccountScreen route={route} account={account} linkedAccount={linkedAccount} />;
    if (route.view === 'webhooks') return <WebhooksScreen apiKey={apiKey} />;
    if (!scopes.includes('read')) {
      const hasWebhooks = scopes.includes('webhooks');
      if (hasWebhooks && route.view === 'list' && !isFiltered(route.filter)) return <ToWebhooks />;
      return <NoReadScreen hasWebhooks={hasWebhooks} isSession={user.person !== null} />;
    }
    if (route.view === 'reconcile')
      return <ReconcileScreen apiKey={apiKey} account={account} route={route} />;
    if (route.view === 'review' || route.view === 'changes')
      return <ReviewScreen apiKey={apiKey} account={account} route={route} />;
    if (route.view === 'search') return <SearchScreen account={account} text={route.text} />;
    const beside = route.view === 'transaction' ? route.reference : undefined;
    return (
      <>
        {list && (
          <LocationOfList.Provider value={list}>
            <ListScreen
              route={list.route}
              live={live}
              onSave={isSaving ? undefined : setOrder}
              beside={beside}
            />
          </LocationOfList.Provider>
        )}
        {beside !== undefined && (
          <TransactionScreen
            key={beside}
            account={account}
            reference={beside}
            live={live}
            onClose={
              list && (() => (cameFrom?.view === 'list' ? history.back() : navigate(list.route, list.trail)))
            }
          />
        )}
      </>
    );
  };
  return (
    <UserApi.Provider value={api}>
      <div class="content">
        <PrintHead account={account} route={route} />
        {order && <ExportPanel apiKey={apiKey} account={account} order={order} onSaving={setIsSaving} />}
        {screen()}
      </div>
    </UserApi.Provider>
  );
}

function ToWebhooks() {
  useLayoutEffect(() => navigate({ view: 'webhooks' }, [], { isReplaced: true }), []);
  return null;
}

const Foot = () => (
  <footer>
    <div class="foot" role="group" aria-label={texts.$language}>
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <Button
          key={tag}
          class="link"
          lang={tag}
          aria-pressed={tag === language}
          onClick={() => chooseLanguage(tag as Language)}
        >
          {name}
        </Button>
      ))}
    </div>
  </footer>
);

interface PrintHeadProps {
  account: string;
  route: Route;
}

function PrintHead({ account, route }: PrintHeadProps) {
  const { zone } = useRoute();
  const [printedAtMs, setPrintedAtMs] = useState(nowMs);
  useEffect(() => {
    const update = () => setPrintedAtMs(nowMs());
    addEventListener('beforeprint', update);
    return () => removeEventListener('beforeprint', update);
  }, []);
  const filter = 'filter' in route && route.filter;
  const { day, minute, offset } = timeParts(printedAtMs, zone);
  const parts = [
    texts.$accountOf(account),
    filter && texts.$filtersAre(describeFilter(filter, zone)),
    route.view === 'search' && texts.$searchIs(route.text),
    texts.$timesAre(zone),
    texts.$printed(`${dayText(day)} ${minute} ${offset}`),
  ];
  return <p class="print-head">{parts.filter(Boolean).join(' \u00b7 ')}</p>;
}

/** The region is always in the page, so that screen readers speak the warning when it appears. */
function EndsSoon() {
  const user = session.use();
  const isSoon = endsSoon.use();
  const { zone } = useRoute();
  return (
    <div class="ends-soon" role="status">
      {isSoon && user !== null && user.person !== null && user.expiresAt !== null && (
        <p>
          {texts.$endsAt(minuteOf(user.expiresAt, zone))}
          {returnUrl === null
            ? texts.$openAgain
            : texts.$signInAgain((label) => <ReturnLink>{label}</ReturnLink>, platform)}
        </p>
      )}
    </div>
  );
}
