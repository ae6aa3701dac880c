import { LIST_PATH } from '../../src/ledger/list/http/list-query.ts';
import { TOTALS_PATH } from '../../src/ledger/totals/http/read-totals.ts';
import { dayOf } from '../../values/calendar.ts';
import { DAY_MS, formatDay } from '../../values/days.ts';
import { measure, warmUp } from './list-requests.ts';
import { type DataSize, LARGE_ACCOUNT, positionOf, SPACING_MS } from './rig/data.ts';
import { type FilledDatabase, filledDatabase, onBothStores } from './rig/databases.ts';
import { downloadMs } from './rig/load.ts';
import { type Finding, finding } from './rig/report.ts';
import { inRounds, type Rounds } from './rig/rounds.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { ratioOf, spreadOf } from './rig/statistics.ts';

const DAYS = 90;
const DIFFERENT_RANGES = 100;
/** More rows do not change the rate of an export. */
const MOST_ROWS = 1_000_000;
/** A smaller export is too short to be timed, so it is repeated until it has sent this many rows. */
const LEAST_ROWS = 500_000;

interface Measured {
  filled: FilledDatabase;
  service: MeasuredServer;
  size: DataSize;
  scale: Rounds;
}

/** Totals and exports of the large account on both stores. */
export const exports = (size: DataSize, scale: Rounds): Promise<Finding[]> =>
  onBothStores('exports', async (databases) => {
    const filled = await filledDatabase(databases, size);
    const service = await startService(filled.url);
    const measured = { filled, service, size, scale };
    try {
      return [...(await totals(measured)), ...(await exportRates(measured))];
    } finally {
      await service.stop();
    }
  });

/** CPU of totals, next to that of a list. Ranges of 90 days lie anywhere in the history of the account. */
async function totals({ filled, service, size, scale }: Measured): Promise<Finding[]> {
  const firstDay = dayOf(positionOf(0).createdAtMs);
  const days = dayOf(positionOf(size.largeRows - 1).createdAtMs) - firstDay + 1;
  const ranges = Array.from({ length: DIFFERENT_RANGES }, (_, index) => {
    const from = firstDay + ((index * 7919) % Math.max(1, days - DAYS + 1));
    return `${TOTALS_PATH}?from=${formatDay(from)}&to=${formatDay(from + DAYS - 1)}`;
  });
  const headers = { authorization: `Bearer ${filled.keys[LARGE_ACCOUNT]}` };
  const requestsTo = (paths: readonly string[]) => paths.map((path) => ({ path, headers }));
  const kinds = {
    list: requestsTo([LIST_PATH]),
    some: requestsTo(ranges),
    all: requestsTo([TOTALS_PATH]),
  };
  for (const requests of Object.values(kinds)) await warmUp(service, requests, scale);
  const cpuUs = async (kind: keyof typeof kinds) => {
    const beforeMs = filled.serverCpuMs();
    const { answered, cpuUsPerRequest } = await measure(service, kinds[kind], scale.secondsEach);
    return cpuUsPerRequest + ((filled.serverCpuMs() - beforeMs) * 1000) / answered;
  };
  const { list, some, all } = await inRounds(`${filled.store}: totals`, scale, async () => ({
    list: await cpuUs('list'),
    some: await cpuUs('some'),
    all: await cpuUs('all'),
  }));
  return [
    finding(`${filled.store}: totals of ${DAYS} days, CPU to that of a list`, ratioOf(some, list)),
    finding(`${filled.store}: totals of everything, CPU to that of a list`, ratioOf(all, list)),
  ];
}

/** The exported rows: all of the account, or the newest whole days. */
function exportedRange({ largeRows }: DataSize): { rows: number; query: string } {
  if (largeRows <= MOST_ROWS) return { rows: largeRows, query: '' };
  const lastDay = dayOf(positionOf(largeRows - 1).createdAtMs);
  const fromDay = lastDay + 1 - Math.floor((MOST_ROWS * SPACING_MS) / DAY_MS);
  const before = Math.ceil((fromDay * DAY_MS - positionOf(0).createdAtMs) / SPACING_MS);
  return { rows: largeRows - before, query: `?from=${formatDay(fromDay)}` };
}

async function exportRates({ filled, service, size, scale }: Measured): Promise<Finding[]> {
  const { rows, query } = exportedRange(size);
  const key = filled.keys[LARGE_ACCOUNT] as string;
  const times = scale.rounds === 1 ? 1 : Math.ceil(LEAST_ROWS / rows);
  const rate = async (format: string) => {
    const url = `${service.url}${LIST_PATH}.${format}${query}`;
    return (times * rows * 1000) / (await downloadMs(url, key, times));
  };
  const found = await inRounds(`${filled.store}: exports`, scale, async () => ({
    csv: await rate('csv'),
    ndjson: await rate('ndjson'),
  }));
  const what = `${filled.store}: export of ${rows.toLocaleString('en')} rows`;
  return Object.entries(found).map(([format, rates]) =>
    finding(`${what} as ${format}, rows a second`, spreadOf(rates), '', 0),
  );
}
