import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { UTC } from '../text/time.ts';
// Must be imported first, so that it handles each address before this module reads it.
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

/** The cursors of the pages before this page, in the order of the pages. Null is the first page. */
type Trail = readonly (string | null)[];

export interface Location {
  route: Route;
  linkedAccount: string | undefined;
  zone: string;
  trail: Trail;
  /** A number that changes with each navigation, even to the same route. */
  visit: number;
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

export const LocationOfList = createContext<Location | undefined>(undefined);

export function useRoute(): Location {
  const now = shown.use();
  return useContext(LocationOfList) ?? now;
}

interface LinkOptions {
  isReplaced?: boolean;
}

export function navigate(route: KnownRoute, trail: Trail = [], options: LinkOptions = {}): void {
  openLink(withContext(formatRoute(route), { timeZone: shown.value.zone }), trail, options);
}

/** In a new zone, days begin at other times. So a list that is filtered by days starts at its first page. */
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

/** A link to the address that is already shown loads it again, without a new entry in the history. */
export function openLink(
  fragment: string,
  trail: Trail = [],
  { isReplaced = false }: LinkOptions = {},
): void {
  const { hash, pathname } = location;
  const isShown = withContext(fragment, { ...contextOf(hash), ...contextOf(fragment) }) === hash;
  const state = { trail: trail.slice(-MAX_TRAIL) };
  // Leaves out the query, which only a misspelt link has.
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

export function followLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openLink((event.currentTarget as HTMLAnchorElement).hash);
}

/** Adds the account and the time zone to every address, so that everybody who opens a link sees the same. */
export function useWholeAddress(account: string): void {
  const { route, linkedAccount, zone } = useRoute();
  useEffect(() => {
    if (route.view === 'misspelt') return;
    const whole = withContext(location.hash, { account: linkedAccount ?? account, timeZone: zone });
    if (whole !== location.hash) history.replaceState(history.state, '', `${location.pathname}${whole}`);
  }, [route, linkedAccount, account, zone]);
}

export function goOlder(route: ListRoute, trail: Trail, nextCursor: string): void {
  navigate({ ...route, cursor: nextCursor }, [...trail, route.cursor]);
}

export function goNewer(route: ListRoute, trail: Trail): void {
  navigate({ ...route, cursor: trail.at(-1) ?? null }, trail.slice(0, -1));
}
