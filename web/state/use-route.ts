import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { UTC } from '../text/time.ts';
// Before any address is read.
import './link-code.ts';
import {
  contextOf,
  formatRoute,
  hasDays,
  type KnownRoute,
  type ListRoute,
  parseRoute,
  type Route,
  withContext,
} from './route.ts';
import { storedZone, storeZone } from './session.ts';
import { Signal } from './signal.ts';

/**
 * The cursors of the pages before this one, newest first. Null stands for the first page. Stored in the
 * browser's history.
 */
type Trail = readonly (string | null)[];

export interface Location {
  route: Route;
  /** The account that the address is for, or undefined if it does not say so. */
  linkedAccount: string | undefined;
  /** The time zone of all days and times on the screen. */
  zone: string;
  trail: Trail;
  /** Changes with each navigation, also to the same route. */
  visit: number;
  /** The route before the last navigation that did not replace it; undefined if the page was opened here. */
  cameFrom: Route | undefined;
}

const MAX_TRAIL = 200;

const shown = new Signal(readLocation({ zone: storedZone(), visit: 0, cameFrom: undefined }));

function readLocation({ zone, visit, cameFrom }: Pick<Location, 'zone' | 'visit' | 'cameFrom'>): Location {
  const { trail = [] } = (history.state ?? {}) as { trail?: Trail };
  const { hash, search } = location;
  const route = parseRoute(hash, search);
  const { account: linkedAccount, timeZone } = contextOf(hash);
  // Days without a time zone are UTC days, as in the API.
  const ofRoute = route.view === 'misspelt' ? zone : (timeZone ?? (hasDays(route) ? UTC : zone));
  return { route, linkedAccount, zone: ofRoute, trail, visit, cameFrom };
}

/** The location of a part that stays while the address is already that of what is shown beside it. */
export const Stay = createContext<Location | undefined>(undefined);

/** The location of the page. The component is rendered again after any change of the address. */
export function useRoute(): Location {
  const now = shown.use();
  return useContext(Stay) ?? now;
}

interface LinkOptions {
  /** True if the route that is shown leaves the history. */
  isReplaced?: boolean;
}

/**
 * Shows another route in the same time zone, and adds it to the history, or replaces the route that is shown.
 */
export function navigate(route: KnownRoute, trail: Trail = [], options: LinkOptions = {}): void {
  openLink(withContext(formatRoute(route), { timeZone: shown.value.zone }), trail, options);
}

/**
 * Shows the same route in another time zone, and begins at the first page if the route has days, because days
 * of another zone begin at other times.
 */
export function chooseZone(zone: string): void {
  storeZone(zone);
  const { route } = shown.value;
  const { account } = contextOf(location.hash);
  const isOtherList = route.view === 'list' && hasDays(route);
  const fragment = isOtherList ? formatRoute({ ...route, cursor: null }) : location.hash;
  const state = isOtherList ? {} : history.state;
  history.replaceState(
    state,
    '',
    `${location.pathname}${withContext(fragment, { account, timeZone: zone })}`,
  );
  shown.value = readLocation({ ...shown.value, zone });
}

/**
 * Shows what a link to this page leads to. A link to what is shown loads it again, and adds nothing to the
 * history.
 */
export function openLink(
  fragment: string,
  trail: Trail = [],
  { isReplaced = false }: LinkOptions = {},
): void {
  const { hash, pathname } = location;
  const isShown = withContext(fragment, { ...contextOf(hash), ...contextOf(fragment) }) === hash;
  const state = { trail: trail.slice(-MAX_TRAIL) };
  // Drops the query of a misspelt link.
  const address = `${pathname}${fragment}`;
  if (isReplaced || isShown) history.replaceState(state, '', address);
  else history.pushState(state, '', address);
  visitAgain(isReplaced ? shown.value.cameFrom : shown.value.route);
}

function visitAgain(cameFrom: Location['cameFrom']): void {
  const { zone, visit } = shown.value;
  shown.value = readLocation({ zone, visit: visit + 1, cameFrom });
}

addEventListener('popstate', () => visitAgain(shown.value.route));

/** Follows a link of the page with openLink. A click for another tab or window is left to the browser. */
export function followLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openLink((event.currentTarget as HTMLAnchorElement).hash);
}

/**
 * Adds the account and the time zone to every address without them, so that a link that is sent shows the
 * same to its reader.
 */
export function useWholeAddress(account: string): void {
  const { route, linkedAccount, zone } = useRoute();
  useEffect(() => {
    if (route.view === 'misspelt') return;
    const whole = withContext(location.hash, { account: linkedAccount ?? account, timeZone: zone });
    if (whole !== location.hash) history.replaceState(history.state, '', `${location.pathname}${whole}`);
  }, [route, linkedAccount, account, zone]);
}

/** Shows the next page, with older transactions. */
export function goOlder(route: ListRoute, trail: Trail, nextCursor: string): void {
  navigate({ ...route, cursor: nextCursor }, [...trail, route.cursor]);
}

/** Shows the previous page of the trail. */
export function goNewer(route: ListRoute, trail: Trail): void {
  navigate({ ...route, cursor: trail.at(-1) ?? null }, trail.slice(0, -1));
}
