import { h } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { connect } from '../state/api.ts';
import type { CsvOrder } from '../state/csv-order.ts';
import type { Failure } from '../state/failure.ts';
import type { Filter, Route } from '../state/route.ts';
import {
  removeKey,
  storedHasWebhooks,
  storedKey,
  storedZone,
  storeHasWebhooks,
  storeKey,
  storeZone,
} from '../state/session.ts';
import { useRoute } from '../state/use-route.ts';
import { CsvFile } from './csv-file.ts';
import { Misspelt, NoRead, Webhooks } from './later-screens.ts';
import { ListScreen } from './list-screen.ts';
import { SignIn } from './sign-in.ts';
import { TopBar } from './top-bar.ts';
import { TransactionScreen } from './transaction-screen.ts';

/** The page: the sign-in form, or the screens of a signed-in user. */
export function App({ statuses }: { statuses: readonly string[] }) {
  const [key, setKey] = useState(storedKey);
  const [signedOutBy, setSignedOutBy] = useState<Failure>();
  const [hasWebhooks, setHasWebhooks] = useState(storedHasWebhooks);

  const signIn = (entered: string) => {
    storeKey(entered);
    setSignedOutBy(undefined);
    setKey(entered);
  };
  const signOut = useCallback((cause?: Failure) => {
    removeKey();
    setHasWebhooks(undefined);
    setSignedOutBy(cause);
    setKey(null);
  }, []);
  const learnWebhooks = useCallback((has: boolean | undefined) => {
    if (has !== undefined) storeHasWebhooks(has);
    setHasWebhooks(has);
  }, []);

  return [
    h('a', { class: 'skip', href: '#main', onClick: skip }, 'Skip to the content'),
    h(TopBar, key === null ? {} : { hasWebhooks, onSignOut: () => signOut() }),
    key === null
      ? h(SignIn, { signedOutBy, onSignIn: signIn })
      : h(Screens, {
          apiKey: key,
          key,
          statuses,
          hasWebhooks,
          onWebhooks: learnWebhooks,
          onSignedOut: signOut,
        }),
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
  /** Whether the key has the scope `webhooks`; undefined until it is known. */
  hasWebhooks: boolean | undefined;
  onWebhooks(has: boolean | undefined): void;
  onSignedOut(cause: Failure): void;
}

function Screens({ apiKey, statuses, hasWebhooks, onWebhooks, onSignedOut }: ScreensProps) {
  const api = useMemo(() => connect(apiKey), [apiKey]);
  const [order, setOrder] = useState<CsvOrder>();
  const [isSaving, setIsSaving] = useState(false);
  const [isShown, setIsShown] = useState(false);
  const [hasRead, setHasRead] = useState(true);
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
    if (failure.code === 'insufficient_scope') setHasRead(false);
  };
  useHasWebhooks(apiKey, (isShown || !hasRead) && hasWebhooks === undefined, onWebhooks);
  const shared = { api, zone, onZone: chooseZone, onFailure };
  const screen = () => {
    if (route.view === 'misspelt') return h(Misspelt, { route });
    if (route.view === 'webhooks')
      return h(Webhooks, { apiKey, visit, zone, onZone: chooseZone, onWebhooks, onSignedOut });
    if (!hasRead) return h(NoRead, { hasWebhooks });
    if (route.view === 'list') {
      const onSave = isSaving ? undefined : (filter: Filter) => setOrder({ filter });
      const onShown = () => setIsShown(true);
      return h(ListScreen, { ...shared, route, trail, visit, statuses, onSave, onShown });
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

/** Learns whether the key has the scope `webhooks` while the browser is idle, so that it delays nothing. */
function useHasWebhooks(apiKey: string, isDue: boolean, onLearned: (has: boolean | undefined) => void): void {
  useEffect(() => {
    if (!isDue) return;
    const abort = new AbortController();
    const learn = async () => {
      if (abort.signal.aborted) return;
      const { learnWebhooks } = await import('../webhooks/learn-webhooks.ts');
      onLearned(await learnWebhooks(apiKey, abort.signal));
    };
    // Without an answer there is no link. Safari has no requestIdleCallback.
    (window.requestIdleCallback ?? setTimeout)(() => learn().catch(() => {}));
    return () => abort.abort();
  }, [isDue]);
}
