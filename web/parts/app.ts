import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ExportPanel } from '../export/export-panel.ts';
import { SearchScreen } from '../search/search-screen.ts';
import { connect } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import type { FileOrder } from '../state/file-order.ts';
import { listRoute } from '../state/route.ts';
import type { Session } from '../state/session.ts';
import { useLive } from '../state/use-live.ts';
import { chooseZone, navigate, useRoute, useWholeAddress } from '../state/use-route.ts';
import { useSession } from '../state/use-session.ts';
import { NoReadScreen } from '../webhooks/no-read-screen.ts';
import { WebhooksScreen } from '../webhooks/webhooks-screen.ts';
import { ListScreen } from './list-screen.ts';
import { MisspeltScreen } from './misspelt-screen.ts';
import { OtherAccountScreen } from './other-account-screen.ts';
import { PrintHead } from './print-head.ts';
import { SignIn } from './sign-in.ts';
import { TopBar } from './top-bar.ts';
import { TransactionScreen } from './transaction-screen.ts';

/** The page: the sign-in form, or the screens of a signed-in user. */
export function App() {
  const { session, endedBy, signIn, signOut, end } = useSession();
  const { view } = useRoute().route;
  const leave = () => {
    signOut();
    // The next key can be of another account.
    navigate(listRoute());
  };
  return [
    SKIPS.slice(0, session !== null && view === 'list' ? SKIPS.length : 1).map(([target, text]) =>
      h('a', { class: 'skip', href: '#main', onClick: skipTo(target) }, `Skip to the ${text}`),
    ),
    h(TopBar, { session, onSignOut: leave }),
    session === null
      ? h(SignIn, { endedBy, onSignIn: signIn })
      : h(Screens, { session, key: session.key, onSignOut: signOut, onSignedOut: end }),
    h('p', { id: 'announcements', class: 'visually-hidden', role: 'status' }),
  ];
}

/** Where the keyboard goes in one step. The list alone has the last two. */
const SKIPS = [
  ['#main h1', 'content'],
  ['.transactions a', 'list'],
  ['.pager button', 'pages'],
] as const;

/** The fragment is the route, so a skip link moves the focus itself. */
const skipTo = (target: string) => (event: MouseEvent) => {
  event.preventDefault();
  document.querySelector<HTMLElement>(target)?.focus();
};

interface ScreensProps {
  session: Session;
  /** The user signs out. */
  onSignOut(): void;
  /** The service refuses the key. */
  onSignedOut(cause: Failure): void;
}

function Screens({ session, onSignOut, onSignedOut }: ScreensProps) {
  const { key: apiKey, account, scopes } = session;
  const api = useMemo(() => connect(apiKey), [apiKey]);
  const [order, setOrder] = useState<FileOrder>();
  const [isSaving, setIsSaving] = useState(false);
  const { route, linkedAccount, zone, trail, visit, cameFrom } = useRoute();
  useWholeAddress(account);

  const onZone = (chosen: string) => chooseZone(route, chosen);
  const onFailure = (failure: Failure) => {
    if (failure.kind === 'signed-out') onSignedOut(failure);
  };
  const live = useLive(scopes.includes('read') ? apiKey : undefined, account, onFailure);
  const shared = { api, zone, onZone, onFailure };
  const screen = () => {
    if (route.view === 'misspelt') return h(MisspeltScreen, { route, zone });
    if (linkedAccount !== undefined && linkedAccount !== account)
      return h(OtherAccountScreen, { route, account, linkedAccount, onSignOut });
    if (route.view === 'webhooks') return h(WebhooksScreen, { apiKey, visit, zone, onZone, onSignedOut });
    if (!scopes.includes('read')) return h(NoReadScreen, { hasWebhooks: scopes.includes('webhooks') });
    if (route.view === 'search') return h(SearchScreen, { ...shared, account, text: route.text, visit });
    if (route.view === 'list') {
      const onSave = isSaving ? undefined : setOrder;
      return h(ListScreen, { ...shared, route, trail, visit, live, onSave });
    }
    const { reference } = route;
    return h(TransactionScreen, {
      ...shared,
      apiKey,
      account,
      reference,
      live,
      cameFrom,
      key: reference,
    });
  };
  return h(
    'div',
    { class: 'content' },
    h(PrintHead, { account, route, zone }),
    order &&
      h(ExportPanel, {
        apiKey,
        account,
        order,
        route,
        linkedAccount,
        zone,
        onSaving: setIsSaving,
        onSignedOut,
      }),
    screen(),
  );
}
