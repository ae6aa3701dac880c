import { randomBytes } from 'node:crypto';
import { createCursorSealer } from '../../src/ledger/list/cursor.ts';
import type { Position } from '../../src/ledger/list/list.ts';
import { type ListFilter, NO_FILTER } from '../../src/ledger/list/list.ts';
import { type Data, type DataSize, databaseOf, LARGE_ACCOUNT, positionOf, smallAccount } from './rig/data.ts';
import { type LoadRequest, type LoadResult, load } from './rig/load.ts';
import { cpuMs, residentMb } from './rig/process-use.ts';
import { type Finding, note } from './rig/report.ts';
import { CURSOR_SECRET, type MeasuredServer, startMinimal, startService } from './rig/server.ts';
import { ratioOf, shown, spreadOf } from './rig/statistics.ts';

export interface Rounds {
  rounds: number;
  secondsEach: number;
  /** V8 optimises a service for 10 to 15 seconds under load: earlier measurements are of another program. */
  warmUpSeconds: number;
}

const CONNECTIONS = 48;
const DIFFERENT_REQUESTS = 4000;

/** Four of five requests read the first page of a small account, the fifth a deep page of the large one. */
function mixOf(size: DataSize): { account: string; after: ReturnType<typeof positionOf> | null }[] {
  return Array.from({ length: DIFFERENT_REQUESTS }, (_, index) =>
    index % 5 === 0
      ? { account: LARGE_ACCOUNT, after: positionOf(100 + ((index * 7919) % (size.largeRows - 200))) }
      : { account: smallAccount((index * 31) % size.smallAccounts), after: null },
  );
}

const cursors = createCursorSealer([CURSOR_SECRET], randomBytes);
const CURSOR_LIFETIME_MS = 86_400_000;

/** A cursor that the measured service accepts. */
function sealed(account: string, filter: ListFilter, after: Position): string {
  return cursors.seal(account, { filter, after, expiresAtMs: Date.now() + CURSOR_LIFETIME_MS });
}

function listsOf(size: DataSize, keys: Data['keys']): { path: string; key: string }[] {
  return mixOf(size).map(({ account, after }) => ({
    path: `/v1/transactions${after === null ? '' : `?cursor=${sealed(account, NO_FILTER, after)}`}`,
    key: keys[account] as string,
  }));
}

export function serviceRequests(size: DataSize, keys: Data['keys']): LoadRequest[] {
  return listsOf(size, keys).map(({ path, key }) => ({ path, headers: { authorization: `Bearer ${key}` } }));
}

function minimalRequests(size: DataSize): LoadRequest[] {
  return mixOf(size).map(({ account, after }) => ({
    path: `/?account=${account}${after === null ? '' : `&after=${after.createdAtMs}&reference=${after.reference}`}`,
  }));
}

interface Measured extends LoadResult {
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

/** Sends requests before the measured rounds. */
export async function warmUp(
  server: MeasuredServer,
  requests: readonly LoadRequest[],
  { warmUpSeconds }: Rounds,
): Promise<void> {
  if (warmUpSeconds > 0) await measure(server, requests, warmUpSeconds);
}

/** The times of starts, in milliseconds. The first start fills the cache of compiled code and is left out. */
async function startTimes(path: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const service = await startService(`sqlite:${path}`);
    await service.stop();
    if (round > 0) times.push(service.startedWithinMs);
  }
  return times;
}

/** List requests to the service, compared with a minimal server that runs the same statement. */
export async function listRequests(size: DataSize, scale: Rounds): Promise<Finding[]> {
  const { rounds, secondsEach } = scale;
  const { path, keys } = await databaseOf(size);
  const starts = await startTimes(path, rounds);
  const service = await startService(`sqlite:${path}`);
  const minimal = await startMinimal(path);
  try {
    const ofService = serviceRequests(size, keys);
    const ofMinimal = minimalRequests(size);
    await warmUp(service, ofService, scale);
    await warmUp(minimal, ofMinimal, scale);
    const found: { service: Measured; minimal: Measured }[] = [];
    for (let round = 0; round < rounds; round++) {
      note(`list requests: round ${round + 1} of ${rounds}`);
      found.push({
        service: await measure(service, ofService, secondsEach),
        minimal: await measure(minimal, ofMinimal, secondsEach),
      });
    }
    const of = (which: 'service' | 'minimal', figure: keyof Measured) =>
      found.map((one) => one[which][figure]);
    const cpu = of('service', 'cpuUsPerRequest');
    return [
      {
        name: 'list request, CPU of the service, relative to minimal node:http + node:sqlite',
        figure: shown(ratioOf(cpu, of('minimal', 'cpuUsPerRequest'))),
        goal: 'at most 1.0',
      },
      {
        name: 'list request, CPU of the service in microseconds',
        figure: shown(spreadOf(cpu), 0),
        goal: '',
      },
      {
        name: 'list requests a second, relative to the minimal server',
        figure: shown(ratioOf(of('service', 'perSecond'), of('minimal', 'perSecond'))),
        goal: '',
      },
      {
        name: 'peak memory of the service at full load, MB',
        figure: residentMb(service.pid, 'VmHWM').toFixed(0),
        goal: 'at most 150',
      },
      {
        name: 'from the start of the process to listening, ms',
        figure: shown(spreadOf(starts), 0),
        goal: 'at most 500',
      },
    ];
  } finally {
    await service.stop();
    await minimal.stop();
  }
}
