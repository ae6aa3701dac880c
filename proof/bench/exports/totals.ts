import { LIST_PATH } from '../../../src/ledger/list/http/list-query.ts';
import { TOTALS_PATH } from '../../../src/ledger/totals/http/read-totals.ts';
import { dayOf } from '../../../values/calendar.ts';
import { formatDay } from '../../../values/days.ts';
import type { FilledDatabase } from '../filled-database.ts';
import { callsEach } from '../growth.ts';
import { measure, type Rounds } from '../list-requests.ts';
import { type DataSize, LARGE_ACCOUNT, positionOf } from '../rig/data.ts';
import { type Finding, note } from '../rig/report.ts';
import { SequentialClient } from '../rig/sequential.ts';
import type { MeasuredServer } from '../rig/server.ts';
import { percentileOf, ratioOf, type Spread, shown, spreadOf } from '../rig/statistics.ts';

const CALLS_EACH = 1000;
const DAYS = 90;
const DIFFERENT_RANGES = 100;

const LIST = 'list';
const KINDS = [
  LIST,
  `totals of ${DAYS} days`,
  'totals of everything',
  `totals of ${DAYS} days by day`,
] as const;
type Kind = (typeof KINDS)[number];

/** The paths of a kind: ranges of 90 days lie anywhere in the history of the account. */
function pathsOf(kind: Kind, { largeRows }: DataSize): string[] {
  if (kind === LIST) return [LIST_PATH];
  if (kind === 'totals of everything') return [TOTALS_PATH];
  const firstDay = dayOf(positionOf(0).createdAtMs);
  const days = dayOf(positionOf(largeRows - 1).createdAtMs) - firstDay + 1;
  return Array.from({ length: DIFFERENT_RANGES }, (_, index) => {
    const from = firstDay + ((index * 7919) % Math.max(1, days - DAYS + 1));
    const by = kind === `totals of ${DAYS} days` ? '' : '&by=day';
    return `${TOTALS_PATH}?from=${formatDay(from)}&to=${formatDay(from + DAYS - 1)}${by}`;
  });
}

/** The times and the CPU of a kind, one value for each round. */
interface Found {
  p50Ms: number[];
  p99Ms: number[];
  cpuUs: number[];
}

/** How long totals take, and their cost, next to a list: requests one after the other, the kinds in turns. */
export async function totalsRequests(
  filled: FilledDatabase,
  service: MeasuredServer,
  size: DataSize,
  { rounds, secondsEach, warmUpSeconds }: Rounds,
): Promise<Finding[]> {
  const key = filled.keys[LARGE_ACCOUNT] as string;
  const client = new SequentialClient(service.url, key);
  const kinds = KINDS.map((kind) => ({ kind, paths: pathsOf(kind, size), found: newFound() }));
  const [list] = kinds as [(typeof kinds)[0]];
  const calls = callsEach(rounds, CALLS_EACH);
  try {
    for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++) {
      note(`${filled.store}: totals, round ${round} of ${rounds}${round === 0 ? ' (to warm up)' : ''}`);
      const times = kinds.map(() => [] as number[]);
      for (let call = 0; call < calls; call++) {
        for (const [index, { paths }] of kinds.entries())
          times[index]?.push(await client.time(paths[call % paths.length] as string));
      }
      for (const [index, { paths, found }] of kinds.entries()) {
        const requests = paths.map((path) => ({ path, headers: { authorization: `Bearer ${key}` } }));
        const serverCpuMs = filled.serverCpuMs();
        const { answered, cpuUsPerRequest } = await measure(
          service,
          requests,
          round === 0 ? warmUpSeconds : secondsEach,
        );
        const serverUs = ((filled.serverCpuMs() - serverCpuMs) * 1000) / answered;
        if (round === 0) continue;
        found.p50Ms.push(percentileOf(times[index] as number[], 0.5));
        found.p99Ms.push(percentileOf(times[index] as number[], 0.99));
        found.cpuUs.push(cpuUsPerRequest + serverUs);
      }
    }
  } finally {
    client.close();
  }
  return kinds.flatMap(({ kind, found }) => findingsOf(filled.store, kind, found, list.found));
}

const newFound = (): Found => ({ p50Ms: [], p99Ms: [], cpuUs: [] });

function findingsOf(store: FilledDatabase['store'], kind: Kind, found: Found, list: Found): Finding[] {
  const finding = (what: string, spread: Spread, goal = '', digits?: number): Finding => ({
    name: `${store}: ${kind}, ${what}`,
    figure: shown(spread, digits),
    goal,
  });
  const ofDatabase = store === 'SQLite' ? '' : ' with the database';
  const goal = kind === LIST || kind.endsWith('by day') ? '' : 'at most 3';
  return [
    finding('p50 in ms', spreadOf(found.p50Ms)),
    finding("p99 to a list's p50", ratioOf(found.p99Ms, list.p50Ms), goal),
    finding(`CPU of a request${ofDatabase} in us, 48 connections`, spreadOf(found.cpuUs), '', 0),
    finding('CPU to that of a list', ratioOf(found.cpuUs, list.cpuUs)),
  ];
}
