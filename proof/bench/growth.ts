import type { ListQuery, Position } from '../../src/ledger/list/list.ts';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { type DataSize, LARGE_ACCOUNT, positionOf, rowsOf } from './rig/data.ts';
import { type Databases, filledDatabase, onBothStores } from './rig/databases.ts';
import { type Finding, finding } from './rig/report.ts';
import { callsEach, inRounds } from './rig/rounds.ts';
import { ratioOf } from './rig/statistics.ts';

const LIMIT = 11;
const PAGES_DEEP = 100_000;
const CALLS_EACH = 2000;

/** The cost of a page: its name in the report, the clock that measures it, and the goal. */
const COSTS = {
  SQLite: {
    cost: 'SQLite: CPU of a page',
    nowUs: () => {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    goal: 'at most 1.2',
  },
  PostgreSQL: {
    cost: 'PostgreSQL: time of a page',
    nowUs: () => performance.now() * 1000,
    goal: 'at most 1.3',
  },
};

const pageAfter = (after: Position | null): ListQuery => ({
  account: LARGE_ACCOUNT,
  filter: NO_FILTER,
  after,
});

async function openFilled(databases: Databases, size: DataSize): Promise<Store> {
  const { url } = await filledDatabase(databases, size);
  return (await openStore(url, Date.now)).store;
}

/**
 * How the cost of a page in the store grows with the depth or the number of rows. Queries are sent one at a
 * time.
 */
export const growth = (large: DataSize, small: DataSize, rounds: number): Promise<Finding[]> =>
  onBothStores('growth', async (databases) => {
    const big = await openFilled(databases, large);
    const little = await openFilled(databases, small);
    const { cost, nowUs, goal } = COSTS[databases.store];
    const calls = callsEach(rounds, CALLS_EACH);
    const costOf = async (store: Store, queries: readonly ListQuery[]) => {
      const beforeUs = nowUs();
      for (let call = 0; call < calls; call++)
        await store.listTransactions(queries[call % queries.length] as ListQuery, LIMIT);
      return (nowUs() - beforeUs) / calls;
    };

    const rows = large.largeRows;
    // The row PAGES_DEEP pages deep, or near the end of a shorter list, counted from the oldest row.
    const deepest = Math.max(LIMIT, rows - Math.min(PAGES_DEEP * 10, rows - 1000));
    const first = [pageAfter(null)];
    const deep = Array.from({ length: 50 }, (_, index) => pageAfter(positionOf(deepest + index * 10)));
    const smallDeep = [pageAfter(positionOf(Math.floor(small.largeRows / 2)))];
    // A page of fewer rows costs less, so compared pages have the same number of rows.
    const found = await inRounds(cost, { rounds, isWarmedUp: true }, async () => ({
      first: await costOf(big, first),
      deep: await costOf(big, deep),
      firstOfFew: await costOf(little, first),
      deepOfFew: await costOf(little, smallDeep),
    }));
    await Promise.all([big.close(), little.close()]);
    const pages = ((rows - deepest) / 10).toLocaleString('en');
    const inRows = `in ${rowsOf(large).toLocaleString('en')} rows, relative to ${rowsOf(small).toLocaleString('en')}`;
    return [
      finding(
        `${cost}: ${pages} pages deep, relative to the first page`,
        ratioOf(found.deep, found.first),
        goal,
      ),
      finding(`${cost}: first page ${inRows}`, ratioOf(found.first, found.firstOfFew), goal),
      finding(`${cost}: deep page ${inRows}`, ratioOf(found.deep, found.deepOfFew), goal),
    ];
  });
