import { LIST_PATH } from '../../src/ledger/list/http/list-query.ts';
import { DAY_MS, formatDay } from '../../values/calendar.ts';
import { cursorAfter, measure, warmUp } from './list-requests.ts';
import { type DataSize, LARGE_ACCOUNT, positionOf } from './rig/data.ts';
import { type FilledDatabase, filledDatabase, onBothStores } from './rig/databases.ts';
import type { LoadRequest } from './rig/load.ts';
import { cpuMs } from './rig/process-use.ts';
import { type Finding, finding } from './rig/report.ts';
import { inRounds, type Rounds } from './rig/rounds.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { ratioOf } from './rig/statistics.ts';

const TOTALS_PATH = '/v1/totals';
const PAGE_ROWS = 10;
const AT_MOST_PAGES_DEEP = 90_000;

/** `goal` limits the CPU time of a read, in multiples of the CPU time of the first page of the list. */
function kindsOf({ largeRows }: DataSize): { name: string; path: string; goal: string }[] {
  const filtered = (query: string) => `${LIST_PATH}?${query}`;
  const ninetyDaysAgo = formatDay(Math.floor(positionOf(largeRows - 1).createdAtMs / DAY_MS) - 89);
  const pages = Math.min(AT_MOST_PAGES_DEEP, Math.floor(largeRows / PAGE_ROWS) - 2);
  const deep = cursorAfter(LARGE_ACCOUNT, positionOf(largeRows - pages * PAGE_ROWS));
  return [
    { name: 'the first page', path: LIST_PATH, goal: '' },
    { name: `a page ${pages} pages deep`, path: filtered(`cursor=${deep}`), goal: 'at most 1.2' },
    { name: 'a status', path: filtered('status=completed'), goal: 'at most 1.3' },
    { name: 'a currency', path: filtered('currency=EUR'), goal: 'at most 1.3' },
    { name: 'a status and a currency', path: filtered('status=pending&currency=GBP'), goal: 'at most 1.3' },
    { name: 'ninety days', path: filtered(`from=${ninetyDaysAgo}`), goal: 'at most 1.3' },
    { name: 'a currency without rows', path: filtered('currency=JPY'), goal: 'at most 1.3' },
    {
      name: 'a merchantReference of 1 row',
      path: filtered('merchantReference=order-1'),
      goal: 'at most 1.3',
    },
    {
      name: 'a merchantReference of 2,000 rows, and a currency without rows',
      path: filtered('merchantReference=subscription-0&currency=JPY'),
      goal: '',
    },
    { name: 'totals of 90 days', path: `${TOTALS_PATH}?from=${ninetyDaysAgo}`, goal: '' },
    { name: 'totals of everything', path: TOTALS_PATH, goal: 'at most 8' },
  ];
}

/** Compares the CPU of reads of one large account. On PostgreSQL, the CPU of the database is included. */
export const reads = (size: DataSize, scale: Rounds): Promise<Finding[]> =>
  onBothStores('reads', async (databases) => {
    const filled = await filledDatabase(databases, size);
    const service = await startService(filled.url);
    try {
      return await onService(filled, service, size, scale);
    } finally {
      await service.stop();
    }
  });

async function onService(
  { store, keys, serverCpuMs }: FilledDatabase,
  service: MeasuredServer,
  size: DataSize,
  scale: Rounds,
): Promise<Finding[]> {
  const headers = { authorization: `Bearer ${keys[LARGE_ACCOUNT]}` };
  const kinds = kindsOf(size);
  const exports = ['csv', 'ndjson'];
  const usedMs = () => cpuMs(service.pid) + serverCpuMs();
  const requestOf = (path: string): LoadRequest => ({ path, headers });

  const costOfRequest = async (path: string) => {
    const beforeMs = usedMs();
    const { answered } = await measure(service, [requestOf(path)], scale.secondsEach);
    return (usedMs() - beforeMs) / answered;
  };
  const costOfExport = async (format: string) => {
    const beforeMs = usedMs();
    const response = await fetch(`${service.url}${LIST_PATH}.${format}`, { headers });
    for await (const _ of response.body ?? []) {
    }
    return ((usedMs() - beforeMs) * PAGE_ROWS) / size.largeRows;
  };
  await warmUp(
    service,
    kinds.map(({ path }) => requestOf(path)),
    scale,
  );
  const found = await inRounds(`${store}: reads`, scale, async () => {
    const costs: Record<string, number> = {};
    for (const { name, path } of kinds) costs[name] = await costOfRequest(path);
    for (const format of exports) costs[format] = await costOfExport(format);
    return costs;
  });
  const first = kinds[0]?.name ?? '';
  const relative = (name: string) => ratioOf(found[name] as number[], found[first] as number[]);
  return [
    ...kinds
      .slice(1)
      .map(({ name, goal }) => finding(`${store}: CPU of ${name}, to ${first}`, relative(name), goal)),
    ...exports.map((format) =>
      finding(`${store}: CPU of 10 exported rows as ${format}, to ${first}`, relative(format)),
    ),
  ];
}
