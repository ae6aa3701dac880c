import { type ListFilter, NO_FILTER } from '../src/ledger/list/list-filter.ts';
import type { ListQuery } from '../src/ledger/list/list-query.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import type { Rounds } from './list-requests.ts';
import { type DataSize, databaseOf, LARGE_ACCOUNT, positionOf, rowsOf } from './rig/data.ts';
import { type Finding, note } from './rig/report.ts';
import { ratioOf, shown } from './rig/statistics.ts';

const LIMIT = 11;
const PAGES_DEEP = 100_000;
const CALLS_EACH = 2000;

/** At the scale `tiny`, which only checks that the benchmark runs, fewer calls are enough. */
export const callsEach = (rounds: number, calls: number) => (rounds === 1 ? calls / 40 : calls);

/** The row PAGES_DEEP pages deep, or near the end of a shorter list, counted from the oldest row. */
const deepestOf = (rows: number) => Math.max(LIMIT, rows - Math.min(PAGES_DEEP * 10, rows - 1000));
const pagesDeep = (rows: number) => ((rows - deepestOf(rows)) / 10).toLocaleString('en');

const FILTERS: [name: string, filter: ListFilter][] = [
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

/** What a page costs, by its name in the report, the clock of the cost, and the goal. */
export interface PageCost {
  name: string;
  nowUs: () => number;
  goal: string;
}

const CPU: PageCost = {
  name: 'SQLite: CPU of a page',
  nowUs: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  goal: 'at most 1.2',
};

/** Databases of two sizes. */
interface TwoSizes {
  urls: readonly [large: string, small: string];
  sizes: readonly [large: DataSize, small: DataSize];
}

export async function growth(large: DataSize, small: DataSize, scale: Rounds): Promise<Finding[]> {
  const urlOf = async (size: DataSize) => `sqlite:${(await databaseOf(size)).path}`;
  const urls = [await urlOf(large), await urlOf(small)] as const;
  return growthOf({ urls, sizes: [large, small] }, CPU, scale);
}

/** Whether the cost of a page in the store grows with the depth, the filters or the number of rows. Queries are sent one at a time. */
export async function growthOf(
  { urls, sizes: [large, small] }: TwoSizes,
  { name: cost, nowUs, goal }: PageCost,
  { rounds }: Rounds,
): Promise<Finding[]> {
  const [big, little] = await Promise.all(urls.map(async (url) => (await openStore(url, Date.now)).store));
  const calls = callsEach(rounds, CALLS_EACH);
  const costOf = async (store: Store | undefined, queries: readonly ListQuery[]) => {
    const beforeUs = nowUs();
    for (let call = 0; call < calls; call++)
      await store?.listTransactions(queries[call % queries.length] as ListQuery, LIMIT);
    return (nowUs() - beforeUs) / calls;
  };

  const rows = large.largeRows;
  const deepest = deepestOf(rows);
  const first = (filter: ListFilter): ListQuery[] => [{ account: LARGE_ACCOUNT, filter, after: null }];
  const deep = (filter: ListFilter): ListQuery[] =>
    Array.from({ length: 50 }, (_, index) => ({
      account: LARGE_ACCOUNT,
      filter,
      after: positionOf(deepest + index * 10),
    }));
  const smallDeep: ListQuery[] = [
    { account: LARGE_ACCOUNT, filter: NO_FILTER, after: positionOf(Math.floor(small.largeRows / 2)) },
  ];

  // A page of fewer rows costs less, so compared pages have the same number of rows.
  const found = new Map<string, { value: number[]; base: number[] }>();
  const compare = async (name: string, value: () => Promise<number>, base: () => Promise<number>) => {
    const figures = found.get(name) ?? { value: [], base: [] };
    figures.base.push(await base());
    figures.value.push(await value());
    found.set(name, figures);
  };
  const plainFirst = () => costOf(big, first(NO_FILTER));
  for (let round = 0; round <= rounds; round++) {
    note(`${cost}, round ${round} of ${rounds}${round === 0 ? ' (to warm up)' : ''}`);
    if (round === 1) found.clear();
    for (const [name, filter] of FILTERS)
      for (const [where, queries] of [
        ['first page', first(filter)],
        [`${pagesDeep(rows)} pages deep`, deep(filter)],
      ] as const)
        await compare(
          `${name}, ${where}, relative to the first page without filters`,
          () => costOf(big, queries),
          plainFirst,
        );
    const inRows = `in ${rowsOf(large).toLocaleString('en')} rows, relative to ${rowsOf(small).toLocaleString('en')}`;
    await compare(`first page ${inRows}`, plainFirst, () => costOf(little, first(NO_FILTER)));
    await compare(
      `deep page ${inRows}`,
      () => costOf(big, deep(NO_FILTER)),
      () => costOf(little, smallDeep),
    );
  }
  await Promise.all([big?.close(), little?.close()]);
  return [...found].map(([name, { value, base }]) => ({
    name: `${cost}: ${name}`,
    figure: shown(ratioOf(value, base)),
    goal,
  }));
}
