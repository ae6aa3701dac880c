import { randomBytes } from 'node:crypto';
import { createCursorSealer } from '../src/core/list/cursor.ts';
import { type ListFilter, NO_FILTER } from '../src/core/list/list-filter.ts';
import type { Position } from '../src/core/list/list-query.ts';
import { type Data, type DataSize, databaseOf, LARGE_ACCOUNT, placeOf, smallAccount } from './rig/data.ts';
import { type LoadRequest, type LoadResult, load } from './rig/load.ts';
import { cpuMs, residentMb } from './rig/process-use.ts';
import { type Finding, note } from './rig/report.ts';
import { CURSOR_SECRET, type MeasuredServer, startBarest, startService } from './rig/server.ts';
import { ratioOf, shown, spreadOf } from './rig/statistics.ts';

export interface Rounds {
  rounds: number;
  secondsEach: number;
}

export const CONNECTIONS = 48;
const DIFFERENT_REQUESTS = 4000;

/** Of five requests, four are the first page of any small account, and one is deep in the large one. */
function mixOf(size: DataSize): { account: string; after: ReturnType<typeof placeOf> | null }[] {
  return Array.from({ length: DIFFERENT_REQUESTS }, (_, index) =>
    index % 5 === 0
      ? { account: LARGE_ACCOUNT, after: placeOf(100 + ((index * 7919) % (size.largeRows - 200))) }
      : { account: smallAccount((index * 31) % size.smallAccounts), after: null },
  );
}

const cursors = createCursorSealer([CURSOR_SECRET], randomBytes);
const CURSOR_LIFETIME_MS = 86_400_000;

/** A cursor that the measured service takes for its own. */
export function sealed(account: string, filter: ListFilter, after: Position): string {
  return cursors.seal(account, { filter, after, expiresAtMs: Date.now() + CURSOR_LIFETIME_MS });
}

/** The lists of the mix, and the keys that open them. */
export function listsOf(size: DataSize, keys: Data['keys']): { path: string; key: string }[] {
  return mixOf(size).map(({ account, after }) => ({
    path: `/v1/transactions${after === null ? '' : `?cursor=${sealed(account, NO_FILTER, after)}`}`,
    key: keys[account] as string,
  }));
}

export function serviceRequests(size: DataSize, keys: Data['keys']): LoadRequest[] {
  return listsOf(size, keys).map(({ path, key }) => ({ path, headers: { authorization: `Bearer ${key}` } }));
}

export function barestRequests(size: DataSize): LoadRequest[] {
  return mixOf(size).map(({ account, after }) => ({
    path: `/?account=${account}${after === null ? '' : `&after=${after.createdAtMs}&reference=${after.reference}`}`,
  }));
}

export interface Measured extends LoadResult {
  cpuUsPerRequest: number;
}

export async function measure(
  server: MeasuredServer,
  requests: readonly LoadRequest[],
  seconds: number,
): Promise<Measured> {
  const before = cpuMs(server.pid);
  const result = await load(server.url, requests, { connections: CONNECTIONS, seconds });
  if (result.non2xx > 0 || result.answered === 0) throw new Error(`${result.non2xx} requests failed`);
  return { ...result, cpuUsPerRequest: ((cpuMs(server.pid) - before) * 1000) / result.answered };
}

/** Whole requests of the service beside the barest server that runs the same statement. */
export async function listRequests(size: DataSize, { rounds, secondsEach }: Rounds): Promise<Finding[]> {
  const { path, keys } = await databaseOf(size);
  const service = await startService(`sqlite:${path}`);
  const barest = await startBarest(path);
  try {
    const ours = serviceRequests(size, keys);
    const theirs = barestRequests(size);
    // Compiles the hot code of both before anything is counted.
    await measure(service, ours, secondsEach);
    await measure(barest, theirs, secondsEach);
    const found: { service: Measured; barest: Measured }[] = [];
    for (let round = 0; round < rounds; round++) {
      note(`list requests: round ${round + 1} of ${rounds}`);
      found.push({
        service: await measure(service, ours, secondsEach),
        barest: await measure(barest, theirs, secondsEach),
      });
    }
    const of = (which: 'service' | 'barest', figure: keyof Measured) =>
      found.map((one) => one[which][figure]);
    const cpu = of('service', 'cpuUsPerRequest');
    return [
      {
        question: 'whole request, CPU: service to barest node:http + node:sqlite',
        figure: shown(ratioOf(cpu, of('barest', 'cpuUsPerRequest'))),
        goal: 'at most 0.75',
      },
      {
        question: 'whole request, CPU of the service in microseconds',
        figure: shown(spreadOf(cpu), 0),
        goal: '',
      },
      {
        question: 'whole request, throughput: service to barest',
        figure: shown(ratioOf(of('service', 'perSecond'), of('barest', 'perSecond'))),
        goal: '',
      },
      {
        question: 'memory at full load, MB',
        figure: residentMb(service.pid, 'VmHWM').toFixed(0),
        goal: 'at most 150',
      },
      {
        question: 'start to listening, ms',
        figure: service.startedWithinMs.toFixed(0),
        goal: 'at most 500',
      },
    ];
  } finally {
    await service.stop();
    await barest.stop();
  }
}
