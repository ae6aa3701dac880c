import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NO_FILTER } from '../src/ledger/list/list-filter.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Rounds } from './list-requests.ts';
import { type DataSize, databaseOf, LARGE_ACCOUNT, positionOf, rowsOf } from './rig/data.ts';
import { lineChart, type Point } from './rig/line-chart.ts';
import { type Finding, note } from './rig/report.ts';
import { spreadOf } from './rig/statistics.ts';

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));
const LIMIT = 11;
const CALLS_EACH = 3000;
const DEPTHS = [0, 10, 100, 1000, 10_000, 100_000];

/** Draws the cost of a page by depth and by rows, in the store on SQLite, into docs/images. */
export async function charts(sizes: readonly DataSize[], { rounds }: Rounds): Promise<Finding[]> {
  const largest = sizes.at(-1);
  if (largest === undefined) return [];
  mkdirSync(FOLDER, { recursive: true });
  const { path } = await databaseOf(largest);
  const { store } = await openStore(`sqlite:${path}`, Date.now);
  const depths = DEPTHS.filter((pages) => (pages + 100) * 10 < largest.largeRows);
  const byDepth = await costs(
    depths.map((pages) => ({
      label: pages.toLocaleString('en'),
      readPage: async (call) => {
        const after = pages === 0 ? null : positionOf(largest.largeRows - pages * 10 - (call % 50) * 10);
        await store.listTransactions({ account: LARGE_ACCOUNT, filter: NO_FILTER, after }, LIMIT);
      },
    })),
    rounds,
  );
  await store.close();
  const stores = [];
  for (const size of sizes) {
    const opened = await openStore(`sqlite:${(await databaseOf(size)).path}`, Date.now);
    stores.push({ size, store: opened.store });
  }
  const byRows = await costs(
    stores.map(({ size, store }) => ({
      label: rowsOf(size).toLocaleString('en'),
      readPage: async (call) => {
        const after = positionOf(Math.floor(size.largeRows / 2) + (call % 50) * 10);
        await store.listTransactions({ account: LARGE_ACCOUNT, filter: NO_FILTER, after }, LIMIT);
      },
    })),
    rounds,
  );
  for (const { store } of stores) await store.close();

  const drawn = [
    {
      name: 'cost-by-depth.svg',
      title: 'Cost of a page, relative to the first',
      xTitle: 'pages deep',
      points: byDepth,
    },
    {
      name: 'cost-by-rows.svg',
      title: 'Cost of a page in the middle, relative to the smallest database',
      xTitle: 'rows stored',
      points: byRows,
    },
  ];
  for (const { name, title, xTitle, points } of drawn) {
    writeFileSync(`${FOLDER}${name}`, lineChart(title, xTitle, points));
  }
  return drawn.map(({ name, points }) => ({
    name: `cost of a page, drawn in docs/images/${name}`,
    figure: points.map(({ label, value }) => `${label}: ${value.toFixed(2)}`).join(', '),
    goal: 'at most 1.2',
  }));
}

interface Series {
  label: string;
  readPage: (call: number) => Promise<void>;
}

/** The CPU of each series relative to the first series of the same round. */
async function costs(series: readonly Series[], rounds: number): Promise<Point[]> {
  const ratios = series.map(() => [] as number[]);
  for (let round = 0; round <= rounds; round++) {
    note(`charts: round ${round} of ${rounds}`);
    const taken: number[] = [];
    for (const { readPage } of series) {
      const before = process.cpuUsage();
      for (let call = 0; call < CALLS_EACH; call++) await readPage(call);
      const { user, system } = process.cpuUsage(before);
      taken.push(user + system);
    }
    if (round === 0) continue;
    for (const [index, used] of taken.entries()) ratios[index]?.push(used / (taken[0] as number));
  }
  return series.map(({ label }, index) => {
    const { median, least, most } = spreadOf(ratios[index] as number[]);
    return { label, value: median, least, most };
  });
}
