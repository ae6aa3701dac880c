import { LIST_PATH } from '../../../src/ledger/list/http/list-query.ts';
import { dayOf } from '../../../values/calendar.ts';
import { DAY_MS, formatDay } from '../../../values/days.ts';
import type { FilledDatabase } from '../filled-database.ts';
import type { Rounds } from '../list-requests.ts';
import { type DataSize, LARGE_ACCOUNT, positionOf, SPACING_MS } from '../rig/data.ts';
import { download } from '../rig/download.ts';
import { cpuMs } from '../rig/process-use.ts';
import { type Finding, note } from '../rig/report.ts';
import type { MeasuredServer } from '../rig/server.ts';
import { shown, spreadOf } from '../rig/statistics.ts';

/** More rows do not change the rate. */
const MOST_ROWS = 1_000_000;
/** Fewer rows take so little CPU that its /proc unit is a large part of it: exports repeat up to this. */
const LEAST_ROWS = 500_000;

const FORMATS = ['csv', 'ndjson'] as const;

/** The exported rows: all of the account, or the newest whole days. */
function exportedRange({ largeRows }: DataSize): { rows: number; query: string } {
  if (largeRows <= MOST_ROWS) return { rows: largeRows, query: '' };
  const lastDay = dayOf(positionOf(largeRows - 1).createdAtMs);
  const fromDay = lastDay + 1 - Math.floor((MOST_ROWS * SPACING_MS) / DAY_MS);
  const before = Math.ceil((fromDay * DAY_MS - positionOf(0).createdAtMs) / SPACING_MS);
  return { rows: largeRows - before, query: `?from=${formatDay(fromDay)}` };
}

export async function exportRate(
  { store, keys, serverCpuMs }: FilledDatabase,
  service: MeasuredServer,
  size: DataSize,
  { rounds }: Pick<Rounds, 'rounds'>,
): Promise<Finding[]> {
  const { rows, query } = exportedRange(size);
  const key = keys[LARGE_ACCOUNT] as string;
  const times = rounds === 1 ? 1 : Math.ceil(LEAST_ROWS / rows);
  const usedMs = () => cpuMs(service.pid) + serverCpuMs();
  const findings: Finding[] = [];
  for (const format of FORMATS) {
    const perSecond: number[] = [];
    const cpuUs: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      note(`${store}: export as ${format}, round ${round} of ${rounds}`);
      const beforeMs = usedMs();
      const downloads = await download(`${service.url}${LIST_PATH}.${format}${query}`, key, times);
      cpuUs.push(((usedMs() - beforeMs) * 1000) / times / rows);
      perSecond.push((times * rows * 1000) / downloads.reduce((sum, { tookMs }) => sum + tookMs, 0));
    }
    const name = `${store}: export of ${rows.toLocaleString('en')} rows as ${format}`;
    const ofDatabase = store === 'SQLite' ? '' : ' of service and database';
    findings.push(
      { name: `${name}, rows a second`, figure: shown(spreadOf(perSecond), 0), goal: '' },
      { name: `${name}, CPU${ofDatabase} in us a row`, figure: shown(spreadOf(cpuUs)), goal: '' },
    );
  }
  return findings;
}
