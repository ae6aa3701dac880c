/**
 * What the page shows, kept in the fragment of its address: it can be shared, reloaded and gone back to, and is
 * never sent to a server, so that neither filters nor cursors reach its log.
 */
export const FILTER_NAMES = ['status', 'currency', 'merchantReference', 'from', 'to'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type Filter = { [Name in FilterName]?: string };

export interface ListRoute {
  view: 'list';
  filter: Filter;
  /** Null for the first page. */
  cursor: string | null;
}

export interface TransactionRoute {
  view: 'transaction';
  reference: string;
}

export type Route = ListRoute | TransactionRoute;

const ROOT = '#/transactions';

/** The route of a fragment. What it does not know it leaves out, and whatever it can not read is the unfiltered list. */
export function parseRoute(fragment: string): Route {
  const [path = '', ...rest] = fragment.split('?');
  const query = rest.join('?');
  const reference = decoded(path.slice(ROOT.length + 1));
  if (path.startsWith(`${ROOT}/`) && reference) return { view: 'transaction', reference };

  const parameters = new URLSearchParams(query);
  const filter: Filter = {};
  for (const name of FILTER_NAMES) {
    const value = parameters.get(name);
    if (value) filter[name] = value;
  }
  return { view: 'list', filter, cursor: parameters.get('cursor') || null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function formatRoute(route: Route): string {
  if (route.view === 'transaction') return `${ROOT}/${encodeURIComponent(route.reference)}`;
  const parameters = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = route.filter[name];
    if (value) parameters.set(name, value);
  }
  if (route.cursor !== null) parameters.set('cursor', route.cursor);
  const query = parameters.toString();
  return query === '' ? ROOT : `${ROOT}?${query}`;
}

export function listRoute(filter: Filter = {}, cursor: string | null = null): ListRoute {
  return { view: 'list', filter, cursor };
}

/** The filter that a query of the API means, for going on where the service says. */
export function filterOfQuery(address: string): Filter {
  const { filter } = parseRoute(`${ROOT}?${address.split('?')[1] ?? ''}`) as ListRoute;
  return filter;
}

export function isFiltered(filter: Filter): boolean {
  return FILTER_NAMES.some((name) => filter[name]);
}

/** A filter as a sentence would say it: "completed, EUR, 2026-01-01 to 2026-03-31". */
export function describeFilter({ status, currency, merchantReference, from, to }: Filter): string {
  const reference = merchantReference && `your reference ${merchantReference}`;
  const range = from && to ? `${from} to ${to}` : from ? `from ${from}` : to ? `until ${to}` : undefined;
  return [status, currency, reference, range].filter(Boolean).join(', ');
}
