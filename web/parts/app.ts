import { h } from 'preact';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import { connect } from '../state/api.ts';
import type { CsvOrder } from '../state/csv-order.ts';
import type { Failure } from '../state/failure.ts';
import type { Filter, Route } from '../state/route.ts';
import { removeKey, storedKey, storedZone, storeKey, storeZone } from '../state/session.ts';
import { useRoute } from '../state/use-route.ts';
import { CsvFile } from './csv-file.ts';
import { ListScreen } from './list-screen.ts';
import { MisspeltScreen } from './misspelt-screen.ts';
import { SignIn } from './sign-in.ts';
import { TopBar } from './top-bar.ts';
import { TransactionScreen } from './transaction-screen.ts';

/** The page: the sign-in form, or the screens of a signed-in user. */
export function App({ statuses }: { statuses: readonly string[] }) {
  const [key, setKey] = useState(storedKey);
  const [signedOutBy, setSignedOutBy] = useState<Failure>();

  const signIn = (entered: string) => {
    storeKey(entered);
    setSignedOutBy(undefined);
    setKey(entered);
  };
  const signOut = useCallback((cause?: Failure) => {
    removeKey();
    setSignedOutBy(cause);
    setKey(null);
  }, []);

  return [
    h('a', { class: 'skip', href: '#main', onClick: skip }, 'Skip to the content'),
    h(TopBar, key === null ? {} : { onSignOut: () => signOut() }),
    key === null
      ? h(SignIn, { signedOutBy, onSignIn: signIn })
      : h(Screens, { apiKey: key, key, statuses, onSignedOut: signOut }),
    h('p', { id: 'announcements', class: 'visually-hidden', role: 'status' }),
  ];
}

/** The fragment is the route, so the skip link moves the focus itself. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main h1')?.focus();
}

interface ScreensProps {
  apiKey: string;
  statuses: readonly string[];
  onSignedOut(cause: Failure): void;
}

function Screens({ apiKey, statuses, onSignedOut }: ScreensProps) {
  const api = useMemo(() => connect(apiKey), [apiKey]);
  const [order, setOrder] = useState<CsvOrder>();
  const [isSaving, setIsSaving] = useState(false);
  const { route, trail, visit } = useRoute();
  const [zone, setZone] = useState(storedZone);
  const views = useRef({ now: route, before: undefined as Route | undefined });
  if (views.current.now !== route) views.current = { now: route, before: views.current.now };

  const chooseZone = (chosen: typeof zone) => {
    storeZone(chosen);
    setZone(chosen);
  };
  const onFailure = (failure: Failure) => {
    if (failure.kind === 'signed-out') onSignedOut(failure);
  };
  const shared = { api, zone, onZone: chooseZone, onFailure };
  const screen = () => {
    if (route.view === 'misspelt') return h(MisspeltScreen, { route });
    if (route.view === 'list') {
      const onSave = isSaving ? undefined : (filter: Filter) => setOrder({ filter });
      return h(ListScreen, { ...shared, route, trail, visit, statuses, onSave });
    }
    const { reference } = route;
    const cameFromList = views.current.before?.view === 'list';
    return h(TransactionScreen, { ...shared, reference, cameFromList, key: reference });
  };
  return h(
    'div',
    { class: 'content' },
    order && h(CsvFile, { apiKey, order, onSaving: setIsSaving }),
    screen(),
  );
}
