import { LIST_PATH } from '../../src/ledger/list/http/list-query.ts';
import { DAY_MS, dayOf, formatDay } from '../../src/values/calendar.ts';
import type { FilledDatabase } from '../filled-database.ts';
import type { Rounds } from '../list-requests.ts';
import { type DataSize, LARGE_ACCOUNT, positionOf, SPACING_MS } from '../rig/data.ts';
import { type Download, download } from '../rig/download.ts';
import { cpuMs } from '../rig/process-use.ts';
import { type Finding, note } from '../rig/report.ts';
import { type MeasuredServer, startMinimalExporter } from '../rig/server.ts';
import { ratioOf, shown, spreadOf } from '../rig/statistics.ts';

/** More rows do not change the rate. */
const MOST_ROWS = 1_000_000;
/** Fewer rows take so little CPU that its unit in /proc is a large part of it: exports are repeated up to this. */
const LEAST_ROWS = 500_000;

export const FORMATS = ['csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];

interface Sender {
  server: MeasuredServer;
  pathOf(format: Format): string;
}

/** What an export took: in microseconds a row. */
interface Cost {
  wallUs: number[];
  cpuUs: number[];
}

/** The rows that are exported: all of the account, or the newest whole days. */
function exportedRange({ largeRows }: DataSize): { rows: number; fromDay: number | null } {
  if (largeRows <= MOST_ROWS) return { rows: largeRows, fromDay: null };
  const lastDay = dayOf(positionOf(largeRows - 1).createdAtMs);
  const fromDay = lastDay + 1 - Math.floor((MOST_ROWS * SPACING_MS) / DAY_MS);
  const before = Math.ceil((fromDay * DAY_MS - positionOf(0).createdAtMs) / SPACING_MS);
  return { rows: largeRows - before, fromDay };
}

/** The rate of exports, to that of the barest loop that reads the same rows and sends the same bytes over HTTP: in turns. */
export async function exportRate(
  filled: FilledDatabase,
  service: MeasuredServer,
  size: DataSize,
  { rounds }: Pick<Rounds, 'rounds'>,
): Promise<Finding[]> {
  const { rows, fromDay } = exportedRange(size);
  const key = filled.keys[LARGE_ACCOUNT] as string;
  const minimal = await startMinimalExporter(filled.url, LARGE_ACCOUNT);
  const barest: Sender = {
    server: minimal,
    pathOf: (format) =>
      `/${format}?fromMs=${fromDay === null ? positionOf(0).createdAtMs : fromDay * DAY_MS}`,
  };
  const exporter: Sender = {
    server: service,
    pathOf: (format) => `${LIST_PATH}.${format}${fromDay === null ? '' : `?from=${formatDay(fromDay)}`}`,
  };
  const times = rounds === 1 ? 1 : Math.ceil(LEAST_ROWS / rows);
  const costOf = async ({ server, pathOf }: Sender, format: Format, { wallUs, cpuUs }: Cost) => {
    const usedMs = () => cpuMs(server.pid) + filled.serverCpuMs();
    const beforeMs = usedMs();
    const downloads = await download(`${server.url}${pathOf(format)}`, key, { times });
    const tookMs = downloads.reduce((sum, one) => sum + one.tookMs, 0);
    wallUs.push((tookMs * 1000) / times / rows);
    cpuUs.push(((usedMs() - beforeMs) * 1000) / times / rows);
  };
  const findings: Finding[] = [];
  try {
    for (const format of FORMATS) {
      await compareBytes(exporter, barest, format, { key, rows });
      const ofService: Cost = { wallUs: [], cpuUs: [] };
      const ofBarest: Cost = { wallUs: [], cpuUs: [] };
      for (let round = 1; round <= rounds; round++) {
        note(`${filled.store}: export as ${format}, round ${round} of ${rounds}`);
        await costOf(barest, format, ofBarest);
        await costOf(exporter, format, ofService);
      }
      findings.push(...findingsOf(filled.store, format, rows, { ofService, ofBarest }));
    }
  } finally {
    await minimal.stop();
  }
  return findings;
}

/** Throws unless both send the same rows in the same bytes, of which the manifest has the hash. Warms both up. */
async function compareBytes(
  exporter: Sender,
  barest: Sender,
  format: Format,
  { key, rows }: { key: string; rows: number },
): Promise<void> {
  const read = async ({ server, pathOf }: Sender, isHashed: boolean) => {
    const [first] = await download(`${server.url}${pathOf(format)}`, key, { isHashed });
    return first as Download;
  };
  const { exportId } = await read(exporter, false);
  const { sha256 } = await read(barest, true);
  const response = await fetch(`${exporter.server.url}/v1/exports/${exportId}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const manifest = (await response.json()) as { rows: number; sha256: string };
  if (manifest.rows !== rows || manifest.sha256 !== sha256) throw new Error('the exports differ');
}

function findingsOf(
  store: FilledDatabase['store'],
  format: Format,
  rows: number,
  { ofService, ofBarest }: Record<'ofService' | 'ofBarest', Cost>,
): Finding[] {
  const name = `${store}: export of ${rows.toLocaleString('en')} rows as ${format}`;
  const ofDatabase = store === 'SQLite' ? '' : ' of service and database';
  return [
    {
      name: `${name}, rows a second, to the barest loop`,
      figure: shown(ratioOf(ofBarest.wallUs, ofService.wallUs)),
      goal: 'at least 0.8',
    },
    {
      name: `${name}, rows for the same CPU${ofDatabase}, to the barest loop`,
      figure: shown(ratioOf(ofBarest.cpuUs, ofService.cpuUs)),
      goal: 'at least 0.8',
    },
    { name: `${name}, rows a second`, figure: shown(spreadOf(ofService.wallUs.map(perSecond)), 0), goal: '' },
    { name: `${name}, CPU${ofDatabase} in us a row`, figure: shown(spreadOf(ofService.cpuUs)), goal: '' },
  ];
}

const perSecond = (us: number) => 1_000_000 / us;
