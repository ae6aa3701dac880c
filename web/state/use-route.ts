import { useEffect, useState } from 'preact/hooks';
import {
  accountOf,
  formatRoute,
  type KnownRoute,
  type ListRoute,
  parseRoute,
  type Route,
  withAccount,
  withoutAccount,
} from './route.ts';

/** The cursors of the pages before this one, newest first: null is the first page. Stored in the browser's history. */
export type Trail = readonly (string | null)[];

export interface Location {
  route: Route;
  /** The account that the address is for, or undefined if it does not say so. */
  linkedAccount: string | undefined;
  trail: Trail;
  /** Changes with each navigation, also to the same route. */
  visit: number;
}

const MAX_TRAIL = 200;
const listeners = new Set<() => void>();
let visit = 0;

function currentLocation(): Location {
  const { trail } = (history.state ?? {}) as { trail?: Trail };
  const { hash, search } = location;
  return { route: parseRoute(hash, search), linkedAccount: accountOf(hash), trail: trail ?? [], visit };
}

/** Shows another route, and adds it to the history, or replaces the route that is shown. */
export function navigate(route: KnownRoute, trail: Trail = [], isReplaced = false): void {
  openLink(formatRoute(route), trail, isReplaced);
}

/** Shows what a link to this page leads to. A link to what is shown loads it again, and adds nothing to the history. */
export function openLink(fragment: string, trail: Trail = [], isReplaced = false): void {
  const { hash, pathname } = location;
  const isShown = fragment === hash || fragment === withoutAccount(hash);
  const state = { trail: trail.slice(-MAX_TRAIL) };
  // Drops the query of a misspelt link.
  const address = `${pathname}${fragment}`;
  if (isReplaced || isShown) history.replaceState(state, '', address);
  else history.pushState(state, '', address);
  visit++;
  for (const listener of listeners) listener();
}

/** Follows a link of the page with openLink. A click for another tab or window is left to the browser. */
export function followLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openLink((event.currentTarget as HTMLAnchorElement).hash);
}

/** Adds the account to every address that does not name one, so that a link that is sent says whose it is. */
export function useAccountInAddress(account: string): void {
  const { route, linkedAccount } = useRoute();
  useEffect(() => {
    if (linkedAccount !== undefined || route.view === 'misspelt') return;
    history.replaceState(history.state, '', `${location.pathname}${withAccount(location.hash, account)}`);
  }, [route, linkedAccount, account]);
}

/** Shows the next page, with older transactions. */
export function goOlder(route: ListRoute, trail: Trail, nextCursor: string): void {
  navigate({ ...route, cursor: nextCursor }, [...trail, route.cursor]);
}

/** Shows the previous page of the trail. */
export function goNewer(route: ListRoute, trail: Trail): void {
  navigate({ ...route, cursor: trail.at(-1) ?? null }, trail.slice(0, -1));
}

/** The location of the page, after any change of the address. */
export function useRoute(): Location {
  const [current, setCurrent] = useState(currentLocation);
  useEffect(() => {
    const update = () => setCurrent(currentLocation());
    const goBack = () => {
      visit++;
      update();
    };
    listeners.add(update);
    addEventListener('popstate', goBack);
    return () => {
      listeners.delete(update);
      removeEventListener('popstate', goBack);
    };
  }, []);
  return current;
}
