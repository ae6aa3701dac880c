import { LIST_PATH } from '../src/ledger/list/http/list-query.ts';
import { type ListFilter, NO_FILTER } from '../src/ledger/list/list-filter.ts';
import type { ListQuery } from '../src/ledger/list/list-query.ts';
import { openStore } from '../src/store/open-store.ts';
import { measure, type Rounds, sealed } from './list-requests.ts';
import { type DataSize, databaseOf, LARGE_ACCOUNT, positionOf } from './rig/data.ts';
import type { LoadRequest } from './rig/load.ts';
import { type Finding, note } from './rig/report.ts';
import { startService } from './rig/server.ts';
import { ratioOf, shown } from './rig/statistics.ts';

const LIMIT = 11;
const PAGES_DEEP = 100_000;
const CALLS_EACH = 4000;

/** At the scale `tiny`, which only checks that the benchmark runs, fewer calls are enough. */
export const callsEach = (rounds: number, calls: number) => (rounds === 1 ? calls / 40 : calls);

/** The row PAGES_DEEP pages deep, or near the end of a shorter list, counted from the oldest row. */
const deepestOf = (rows: number) => Math.max(LIMIT, rows - Math.min(PAGES_DEEP * 10, rows - 1000));
const pagesDeep = (rows: number) => ((rows - deepestOf(rows)) / 10).toLocaleString('en');

/** CPU microseconds of one page, read from the store directly. */
async function pageCost(
  list: (query: ListQuery) => Promise<unknown>,
  queries: readonly ListQuery[],
  calls: number,
) {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) await list(queries[call % queries.length] as ListQuery);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

export const FILTERS: [name: string, filter: ListFilter][] = [
  ['no filter', NO_FILTER],
  ['status', { ...NO_FILTER, status: 'completed' }],
  ['currency', { ...NO_FILTER, currency: 'EUR' }],
  ['status and currency', { ...NO_FILTER, status: 'pending', currency: 'GBP' }],
  ['a rare currency (0.01 %)', { ...NO_FILTER, currency: 'USD' }],
  ['a currency without a match', { ...NO_FILTER, currency: 'JPY' }],
  ['merchantReference of 1', { ...NO_FILTER, merchantReference: 'order-1' }],
  ['merchantReference of 100', { ...NO_FILTER, merchantReference: 'plan-0' }],
  ['merchantReference of 100, status', { ...NO_FILTER, merchantReference: 'plan-0', status: 'pending' }],
  ['merchantReference of 10,000', { ...NO_FILTER, merchantReference: 'subscription-0' }],
  [
    'merchantReference of 10,000, status and currency',
    { ...NO_FILTER, merchantReference: 'subscription-0', status: 'completed', currency: 'EUR' },
  ],
  [
    'merchantReference of 10,000, a rare status',
    { ...NO_FILTER, merchantReference: 'subscription-0', status: 'pending' },
  ],
  [
    'merchantReference of 10,000, a currency without a match',
    { ...NO_FILTER, merchantReference: 'subscription-0', currency: 'JPY' },
  ],
];

/** Whether a request's cost grows with the depth or the filters: CPU of the service for a whole request. */
export async function growthOverHttp(size: DataSize, { rounds, secondsEach }: Rounds): Promise<Finding[]> {
  const { path, keys } = await databaseOf(size);
  const service = await startService(`sqlite:${path}`);
  const headers = { authorization: `Bearer ${keys[LARGE_ACCOUNT]}` };
  const deepest = deepestOf(size.largeRows);
  const requestsOf = (filter: ListFilter, deep: boolean): LoadRequest[] => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filter)) if (value !== null) query.set(name, value);
    if (!deep) return [{ path: `${LIST_PATH}?${query}`, headers }];
    return Array.from({ length: 50 }, (_, index) => ({
      path: `${LIST_PATH}?cursor=${sealed(LARGE_ACCOUNT, filter, positionOf(deepest + index * 10))}`,
      headers,
    }));
  };
  // At the scale `tiny`, which only checks that the benchmark runs, two filters of six are enough.
  const filters = rounds === 1 ? FILTERS.slice(0, 2) : FILTERS;
  const kinds = filters.flatMap(([name, filter]) => [
    { name: `${name}, first page`, requests: requestsOf(filter, false) },
    { name: `${name}, ${pagesDeep(size.largeRows)} pages deep`, requests: requestsOf(filter, true) },
  ]);
  const costs = new Map(kinds.map(({ name }) => [name, [] as number[]]));
  try {
    // Warms up the JIT compiler before the measured rounds.
    const all = kinds.flatMap(({ requests }) => requests);
    if (rounds > 1) await measure(service, all, secondsEach);
    for (let round = 1; round <= rounds; round++) {
      note(`growth over HTTP: round ${round} of ${rounds}`);
      for (const { name, requests } of kinds) {
        costs.get(name)?.push((await measure(service, requests, secondsEach)).cpuUsPerRequest);
      }
    }
  } finally {
    await service.stop();
  }
  const [plain = []] = costs.values();
  return [...costs].slice(1).map(([name, values]) => ({
    name: `list request, CPU of the service: ${name}, relative to the first page without filters`,
    figure: shown(ratioOf(values, plain)),
    goal: 'at most 1.2',
  }));
}

/** Whether the cost of a page in the store grows with the depth, the filters or the number of rows. */
export async function growth(large: DataSize, small: DataSize, { rounds }: Rounds): Promise<Finding[]> {
  const stores = [];
  for (const size of [large, small]) {
    const { path } = await databaseOf(size);
    stores.push((await openStore(`sqlite:${path}`, Date.now)).store);
  }
  const [big, little] = stores as [(typeof stores)[0], (typeof stores)[0]];
  const lister = (store: typeof big) => (query: ListQuery) => store.listTransactions(query, LIMIT);

  const calls = callsEach(rounds, CALLS_EACH);
  const costOf = (store: typeof big, queries: readonly ListQuery[]) =>
    pageCost(lister(store), queries, calls);

  const rows = large.largeRows;
  const deepest = deepestOf(rows);
  const first = (filter: ListFilter): ListQuery[] => [{ account: LARGE_ACCOUNT, filter, after: null }];
  const deep = (filter: ListFilter): ListQuery[] =>
    Array.from({ length: 50 }, (_, index) => ({
      account: LARGE_ACCOUNT,
      filter,
      after: positionOf(deepest + index * 10),
    }));
  const smallDeep = (filter: ListFilter): ListQuery[] => [
    { account: LARGE_ACCOUNT, filter, after: positionOf(Math.floor(small.largeRows / 2)) },
  ];

  // A page of fewer rows costs less, so compared pages have the same number of rows.
  const found = new Map<string, { value: number[]; base: number[] }>();
  const compare = async (name: string, value: () => Promise<number>, base: () => Promise<number>) => {
    const figures = found.get(name) ?? { value: [], base: [] };
    figures.base.push(await base());
    figures.value.push(await value());
    found.set(name, figures);
  };
  for (let round = 0; round <= rounds; round++) {
    note(`growth: round ${round} of ${rounds}${round === 0 ? ' (to warm up)' : ''}`);
    if (round === 1) found.clear();
    const plainFirst = () => costOf(big, first(NO_FILTER));
    for (const [name, filter] of FILTERS) {
      await compare(
        `${name}, first page, relative to the first page without filters`,
        () => costOf(big, first(filter)),
        plainFirst,
      );
      await compare(
        `${name}, ${pagesDeep(rows)} pages deep, relative to the first page without filters`,
        () => costOf(big, deep(filter)),
        plainFirst,
      );
    }
    await compare(
      `first page in ${rows.toLocaleString('en')} rows, relative to ${small.largeRows.toLocaleString('en')}`,
      plainFirst,
      () => costOf(little, first(NO_FILTER)),
    );
    await compare(
      `deep page in ${rows.toLocaleString('en')} rows, relative to ${small.largeRows.toLocaleString('en')}`,
      () => costOf(big, deep(NO_FILTER)),
      () => costOf(little, smallDeep(NO_FILTER)),
    );
  }
  for (const store of stores) await store.close();
  return [...found].map(([name, { value, base }]) => ({
    name: `SQLite: CPU of a page: ${name}`,
    figure: shown(ratioOf(value, base)),
    goal: 'at most 1.2',
  }));
}
