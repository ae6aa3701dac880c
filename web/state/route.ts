import { nearest } from '../../values/nearest.ts';
import { texts } from '../text/language.ts';
import { daysWithin, dayText } from '../text/month.ts';
import { isTimeZone } from '../text/time.ts';
import { EQUALITIES, SHOWN_FILTERS } from './filters.ts';

/**
 * Filters are in the fragment of an address. Browsers never send the fragment, so no server logs the filters.
 */
export const FILTER_NAMES = [...EQUALITIES, 'from', 'to', 'by'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
/** If `by` is `payment`, `from` and `to` are days of payment. Otherwise, they are days of creation. */
export type Filter = { [Name in FilterName]?: string };
export const BY_PAYMENT = 'payment';
export const PENDING = 'pending';

export const REVIEWED_DAYS = 30;
/** Ages of pending transactions, in days. The bar at the top counts those older than the first age. */
export const PENDING_AGES = [3, 7, 30] as const;

export interface ListRoute {
  view: 'list';
  filter: Filter;
  cursor: string | null;
}

export interface DaysRoute {
  view: 'reconcile' | 'review' | 'changes';
  filter: Filter;
}

export type KnownRoute =
  | ListRoute
  | DaysRoute
  | { view: 'transaction'; reference: string }
  | { view: 'webhooks' }
  | { view: 'search'; text: string };

export interface LinkFault {
  part: string;
  detail: string;
}

/**
 * An address with a fault. The page loads nothing, because a list without the faulty filter would mislead.
 */
export interface MisspeltRoute {
  view: 'misspelt';
  faults: readonly LinkFault[];
  meant: KnownRoute | undefined;
}

export type Route = KnownRoute | MisspeltRoute;

const ROOT = '#/transactions';
const WEBHOOKS = '#/webhooks';
const SEARCH = '#/search';
const DAYS_VIEWS = { '#/reconcile': 'reconcile', '#/review': 'review', '#/changes': 'changes' } as const;
/** `review` and `changes` have no filter by status or reference, because it would hide findings. */
const DAYS_FILTERS = {
  reconcile: FILTER_NAMES,
  review: ['currency', 'from', 'to', 'by'],
  changes: ['currency', 'from'],
} as const;
const isDaysPath = (path: string): path is keyof typeof DAYS_VIEWS => Object.hasOwn(DAYS_VIEWS, path);
const CONTEXT_NAMES = ['account', 'timeZone'] as const;
export type Context = { [Name in (typeof CONTEXT_NAMES)[number]]?: string | undefined };
const LIST_PATHS: readonly string[] = ['', '#', '#/', ROOT, `${ROOT}/`];
const PARAMETER_NAMES: readonly string[] = [...FILTER_NAMES, 'cursor'];
const KNOWN_NAMES: readonly string[] = [...PARAMETER_NAMES, ...CONTEXT_NAMES];

/** `search` is the query of the URL, which comes before the fragment. A filter in this query is a fault. */
export function parseRoute(fragment: string, search = ''): Route {
  const misplaced = [...new URLSearchParams(search)].filter(([name]) => KNOWN_NAMES.includes(name));
  if (misplaced.length > 0) {
    return {
      view: 'misspelt',
      faults: misplaced.map(([part]) => ({ part, detail: texts.$belongsAfter(ROOT) })),
      meant: misplaced.every(([name]) => PARAMETER_NAMES.includes(name))
        ? known(parseList(new URLSearchParams(misplaced)))
        : undefined,
    };
  }
  const { timeZone } = contextOf(fragment);
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return {
      view: 'misspelt',
      faults: [{ part: 'timeZone', detail: texts.$notTimeZone }],
      meant: undefined,
    };
  const bare = withoutContext(fragment);
  const [path = '', ...rest] = bare.split('?');
  const parameters = new URLSearchParams(rest.join('?'));
  if (LIST_PATHS.includes(path)) return parseList(parameters);
  if (path === WEBHOOKS || path === `${WEBHOOKS}/`) return withoutFilters({ view: 'webhooks' }, parameters);
  if (path === SEARCH) return parseSearch(parameters);
  if (isDaysPath(path)) return parseDays(DAYS_VIEWS[path], parameters);
  return path.startsWith(`${ROOT}/`)
    ? withoutFilters({ view: 'transaction', reference: decoded(path.slice(ROOT.length + 1)) }, parameters)
    : parseUnknown(path, bare);
}

function parseList(parameters: URLSearchParams): Route {
  const faults: LinkFault[] = [];
  const values = new Map<string, string>();
  let isGuess = false;
  for (const [part, value] of parameters) {
    const name = PARAMETER_NAMES.includes(part) ? part : nearest(part, KNOWN_NAMES);
    if (name === undefined) faults.push({ part, detail: texts.$notFilter(FILTER_NAMES.join(', ')) });
    else if (name !== part) faults.push({ part, detail: texts.$notFilterButNear(name) });
    if (value === '') faults.push({ part, detail: texts.$noValue });
    if (name === part && values.has(name)) faults.push({ part, detail: texts.$isTwice });
    if (name === undefined || !PARAMETER_NAMES.includes(name) || values.has(name)) isGuess = true;
    else if (value !== '') values.set(name, value);
  }
  const { cursor, ...filter } = Object.fromEntries(values);
  if (filter['by'] !== undefined && filter['by'] !== BY_PAYMENT) {
    faults.push({ part: 'by', detail: texts.$notBy(BY_PAYMENT) });
    delete filter['by'];
  }
  const route = listRoute(filter, cursor);
  return faults.length === 0 ? route : { view: 'misspelt', faults, meant: isGuess ? undefined : route };
}

function withoutFilters(route: KnownRoute, parameters: URLSearchParams): Route {
  const faults = [...parameters.keys()].map((part) => ({ part, detail: texts.$noFiltersHere }));
  return faults.length === 0 ? route : { view: 'misspelt', faults, meant: route };
}

function parseUnknown(path: string, fragment: string): Route {
  const [, first = '', rest = ''] = /^#\/?([^/]*)(.*)/.exec(path) ?? [];
  const name = nearest(first, [ROOT.slice(2), WEBHOOKS.slice(2)]);
  const near = name && (`#/${name}` === WEBHOOKS ? WEBHOOKS : `${ROOT}${rest}`);
  const detail = near ? texts.$notAddressButNear(near) : texts.$notAddress(ROOT, WEBHOOKS);
  const meant = near ? known(parseRoute(near + fragment.slice(path.length))) : undefined;
  return { view: 'misspelt', faults: [{ part: path, detail }], meant };
}

function parseDays(view: DaysRoute['view'], parameters: URLSearchParams): Route {
  parameters.delete('cursor');
  const list = parseList(parameters);
  const names: readonly FilterName[] = DAYS_FILTERS[view];
  const foreign = FILTER_NAMES.filter((name) => parameters.has(name) && !names.includes(name));
  const faults = [
    ...(list.view === 'misspelt' ? list.faults : []),
    ...foreign.map((part) => ({ part, detail: texts.$notFilter(names.join(', ')) })),
  ];
  const meant = known(list);
  const route = meant?.view === 'list' ? daysRoute(view, meant.filter) : undefined;
  return faults.length > 0 || route === undefined ? { view: 'misspelt', faults, meant: route } : route;
}

const known = (route: Route) => (route.view === 'misspelt' ? route.meant : route);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parseSearch(parameters: URLSearchParams): Route {
  const text = parameters.get('text')?.trim() ?? '';
  parameters.delete('text');
  return withoutFilters(text === '' ? listRoute() : { view: 'search', text }, parameters);
}

export function contextOf(fragment: string): Context {
  const parameters = new URLSearchParams(fragment.split('?').slice(1).join('?'));
  const named = CONTEXT_NAMES.map((name) => [name, parameters.get(name)] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== null));
}

export function withContext(fragment: string, context: Context): string {
  const bare = withoutContext(fragment) || ROOT;
  const named = CONTEXT_NAMES.filter((name) => context[name] !== undefined).map(
    // A slash needs no escape, and the name Europe/Berlin is easier to read with its slash.
    (name) => `${name}=${encodeURIComponent(context[name] as string).replaceAll('%2F', '/')}`,
  );
  return named.length === 0 ? bare : `${bare}${bare.includes('?') ? '&' : '?'}${named.join('&')}`;
}

export function withoutContext(fragment: string): string {
  const [path = '', ...rest] = fragment.split('?');
  const kept = rest
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !CONTEXT_NAMES.some((name) => part.startsWith(`${name}=`)));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

export function formatRoute(route: KnownRoute): string {
  if (route.view === 'search') return `${SEARCH}?text=${encodeURIComponent(route.text)}`;
  if (route.view === 'webhooks') return WEBHOOKS;
  if (route.view === 'transaction') return `${ROOT}/${encodeURIComponent(route.reference)}`;
  const path = route.view === 'list' ? ROOT : `#/${route.view}`;
  const parameters = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = route.filter[name];
    if (value) parameters.set(name, value);
  }
  if (route.view === 'list' && route.cursor !== null) parameters.set('cursor', route.cursor);
  const query = parameters.toString();
  return query === '' ? path : `${path}?${query}`;
}

export const addressOf = (route: KnownRoute, timeZone: string): string =>
  withContext(formatRoute(route), { timeZone: hasDays(route) ? timeZone : undefined });

export function listRoute(filter: Filter = {}, cursor: string | null = null): ListRoute {
  return { view: 'list', filter, cursor };
}

const daysRoute = (view: DaysRoute['view'], filter: Filter): DaysRoute => ({
  view,
  filter: Object.fromEntries(
    DAYS_FILTERS[view].flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])),
  ),
});

export const reviewRoute = (filter: Filter): DaysRoute => daysRoute('review', filter);

export const changesRoute = (filter: Filter, from = ''): DaysRoute =>
  daysRoute('changes', { ...filter, from });

export function isFiltered(filter: Filter): boolean {
  return FILTER_NAMES.some((name) => name !== 'by' && filter[name]);
}

export const hasDays = (route: Route): boolean =>
  'filter' in route && Boolean(route.filter.from || route.filter.to);

export function queryOf({ by, ...filter }: Filter, timeZone: string): FilterQuery {
  if (!hasDays(listRoute(filter))) return filter;
  if (by !== BY_PAYMENT) return { ...filter, timeZone };
  const { from, to, ...others } = filter;
  return { ...others, ...(from && { paidFrom: from }), ...(to && { paidTo: to }), timeZone };
}

export const pendingList = ({ by, from, ...filter }: Filter): Filter => ({
  ...filter,
  // In a list by day of payment, `from` is left out: an older transaction can still be paid in these days.
  ...(by !== BY_PAYMENT && { from }),
  status: PENDING,
});

export const isByPayment = (filter: Filter): boolean =>
  filter.by === BY_PAYMENT && hasDays(listRoute(filter));

type FilterQuery = Omit<Filter, 'by'> & { timeZone?: string; paidFrom?: string; paidTo?: string };

export function describeFilter(filter: Filter, zone?: string): string {
  const words = EQUALITIES.map((name) => filter[name] && SHOWN_FILTERS[name].inSentence(filter[name]));
  return [...words, describeDays(filter, zone)].filter(Boolean).join(', ');
}

export function describeDays({ from, to, by }: Filter, zone?: string): string | undefined {
  const days =
    from && to
      ? daysWithin({ from, to })
      : from
        ? texts.$daysFrom(dayText(from))
        : to && texts.$daysUntil(dayText(to));
  const inZone = days && (zone ? `${days} (${zone})` : days);
  return inZone && by === BY_PAYMENT ? texts.$paidDays(inZone) : inZone;
}
