import type { ListQuery, Position } from '../../src/ledger/list/list.ts';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
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

/** The cost of a page: its name in the report, the clock that measures it, and the goal. */
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

interface TwoSizes {
  urls: readonly [large: string, small: string];
  sizes: readonly [large: DataSize, small: DataSize];
}

export async function growth(large: DataSize, small: DataSize, scale: Rounds): Promise<Finding[]> {
  const urlOf = async (size: DataSize) => `sqlite:${(await databaseOf(size)).path}`;
  const urls = [await urlOf(large), await urlOf(small)] as const;
  return growthOf({ urls, sizes: [large, small] }, CPU, scale);
}

/**
 * Measures how the cost of a page in the store grows with the depth or the number of rows. Queries are sent
 * one at a time.
 */
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
  const pageAfter = (after: Position | null): ListQuery => ({
    account: LARGE_ACCOUNT,
    filter: NO_FILTER,
    after,
  });
  const first = [pageAfter(null)];
  const deep = Array.from({ length: 50 }, (_, index) => pageAfter(positionOf(deepest + index * 10)));
  const smallDeep = [pageAfter(positionOf(Math.floor(small.largeRows / 2)))];

  // A page of fewer rows costs less, so compared pages have the same number of rows.
  const found = new Map<string, { value: number[]; base: number[] }>();
  const compare = async (name: string, value: () => Promise<number>, base: () => Promise<number>) => {
    const figures = found.get(name) ?? { value: [], base: [] };
    figures.base.push(await base());
    figures.value.push(await value());
    found.set(name, figures);
  };
  const bigFirst = () => costOf(big, first);
  for (let round = 0; round <= rounds; round++) {
    note(`${cost}, round ${round} of ${rounds}${round === 0 ? ' (to warm up)' : ''}`);
    if (round === 1) found.clear();
    await compare(
      `${pagesDeep(rows)} pages deep, relative to the first page`,
      () => costOf(big, deep),
      bigFirst,
    );
    const inRows = `in ${rowsOf(large).toLocaleString('en')} rows, relative to ${rowsOf(small).toLocaleString('en')}`;
    await compare(`first page ${inRows}`, bigFirst, () => costOf(little, first));
    await compare(
      `deep page ${inRows}`,
      () => costOf(big, deep),
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
