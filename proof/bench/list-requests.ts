import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createCursorSealer } from '../../src/ledger/list/cursor.ts';
import { LIST_PATH } from '../../src/ledger/list/http/list-query.ts';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { type Data, type DataSize, databaseOf, LARGE_ACCOUNT, positionOf, smallAccount } from './rig/data.ts';
import { type FilledDatabase, filledDatabase, onBothStores } from './rig/databases.ts';
import { type LoadRequest, type LoadResult, load } from './rig/load.ts';
import { cpuMs, residentMb } from './rig/process-use.ts';
import { type Finding, finding } from './rig/report.ts';
import { inRounds, type Rounds } from './rig/rounds.ts';
import { CURSOR_SECRET, type MeasuredServer, startMinimal, startPeer, startService } from './rig/server.ts';
import { ratioOf, spreadOf } from './rig/statistics.ts';

const CONNECTIONS = 48;
const DIFFERENT_REQUESTS = 4000;

function mixOf(size: DataSize): { account: string; after: ReturnType<typeof positionOf> | null }[] {
  return Array.from({ length: DIFFERENT_REQUESTS }, (_, index) =>
    index % 5 === 0
      ? { account: LARGE_ACCOUNT, after: positionOf(100 + ((index * 7919) % (size.largeRows - 200))) }
      : { account: smallAccount((index * 31) % size.smallAccounts), after: null },
  );
}

const cursors = createCursorSealer([CURSOR_SECRET], randomBytes);
const CURSOR_LIFETIME_MS = 86_400_000;

export const cursorAfter = (account: string, after: ReturnType<typeof positionOf>): string =>
  cursors.seal(account, { filter: NO_FILTER, after, expiresAtMs: Date.now() + CURSOR_LIFETIME_MS });

export const serviceRequests = (size: DataSize, keys: Data['keys']): LoadRequest[] =>
  mixOf(size).map(({ account, after }) => {
    const cursor = after && cursorAfter(account, after);
    return {
      path: `${LIST_PATH}${cursor === null ? '' : `?cursor=${cursor}`}`,
      headers: { authorization: `Bearer ${keys[account]}` },
    };
  });

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

export async function warmUp(
  server: MeasuredServer,
  requests: readonly LoadRequest[],
  { warmUpSeconds }: Rounds,
): Promise<void> {
  if (warmUpSeconds > 0) await measure(server, requests, warmUpSeconds);
}

/** The first start only fills the cache of compiled code, so it is not counted. */
async function startTimes(url: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const service = await startService(url);
    await service.stop();
    if (round > 0) times.push(service.startedWithinMs);
  }
  return times;
}

/** On SQLite, the service is compared with a minimal server that runs the same statement. */
export const listRequests = (size: DataSize, scale: Rounds): Promise<Finding[]> =>
  onBothStores('list-requests', async (databases) => {
    const filled = await filledDatabase(databases, size);
    return filled.store === 'SQLite' ? onSqlite(filled, size, scale) : onPostgres(filled, size, scale);
  });

async function onSqlite({ url, keys }: FilledDatabase, size: DataSize, scale: Rounds): Promise<Finding[]> {
  const starts = await startTimes(url, scale.rounds);
  const service = await startService(url);
  const minimal = await startMinimal(url);
  try {
    const ofService = serviceRequests(size, keys);
    const ofMinimal = minimalRequests(size);
    await warmUp(service, ofService, scale);
    await warmUp(minimal, ofMinimal, scale);
    const found = await inRounds('SQLite: list requests', scale, async () => {
      const own = await measure(service, ofService, scale.secondsEach);
      const least = await measure(minimal, ofMinimal, scale.secondsEach);
      return {
        cpu: own.cpuUsPerRequest,
        leastCpu: least.cpuUsPerRequest,
        p50: own.p50Ms,
        p99: own.p99Ms,
        leastP50: least.p50Ms,
        leastP99: least.p99Ms,
      };
    });
    return [
      finding(
        'list request, CPU of the service, relative to minimal node:http + node:sqlite',
        ratioOf(found.cpu, found.leastCpu),
        'at most 0.8',
      ),
      finding('list request, CPU of the service in microseconds', spreadOf(found.cpu), '', 0),
      finding('SQLite: list request, p99 to p50', ratioOf(found.p99, found.p50), 'at most 2.5'),
      finding('the same of the minimal server', ratioOf(found.leastP99, found.leastP50)),
      {
        name: 'peak memory of the service at full load, MB',
        figure: residentMb(service.pid, 'VmHWM').toFixed(0),
        goal: 'at most 150',
      },
      finding('from the start of the process to listening, ms', spreadOf(starts), 'at most 300', 0),
    ];
  } finally {
    await service.stop();
    await minimal.stop();
  }
}

interface Compared {
  server: MeasuredServer;
  requests: readonly LoadRequest[];
}

/**
 * The minimal server uses pg's pool and prepared statements. The servers with Kysely and with
 * Drizzle run the same query behind Fastify. Only the service authenticates, validates, seals cursors and
 * logs.
 */
async function onPostgres(
  { url, keys, serverPid, serverCpuMs }: FilledDatabase,
  size: DataSize,
  scale: Rounds,
): Promise<Finding[]> {
  execFileSync('taskset', ['-acp', '0', String(serverPid)], { stdio: 'ignore' });
  const sqlite = await databaseOf(size);
  const servers: Compared[] = [];
  const add = async (server: Promise<MeasuredServer>, requests: LoadRequest[]) => {
    const compared = { server: await server, requests };
    servers.push(compared);
    await warmUp(compared.server, requests, scale);
    return compared;
  };
  const measureOne = async ({ server, requests }: Compared) => {
    const beforeMs = serverCpuMs();
    const measured = await measure(server, requests, scale.secondsEach);
    return { ...measured, databaseUs: ((serverCpuMs() - beforeMs) * 1000) / measured.answered };
  };
  try {
    const service = await add(startService(url), serviceRequests(size, keys));
    // The p99 is measured in rounds of its own, which contain no requests to other servers.
    const tails = await inRounds('PostgreSQL: p99 of list requests', scale, () => measureOne(service));
    const minimal = await add(startMinimal(url), minimalRequests(size));
    const leastTails = await inRounds('minimal: p99 of list requests', scale, () => measureOne(minimal));
    const embedded = await add(startService(`sqlite:${sqlite.path}`), serviceRequests(size, sqlite.keys));
    const kysely = await add(startPeer('kysely', url), minimalRequests(size));
    const drizzle = await add(startPeer('drizzle', url), minimalRequests(size));
    const found = await inRounds('PostgreSQL: list requests', scale, async () => {
      const own = await measureOne(service);
      const least = await measureOne(minimal);
      const peers = [await measureOne(kysely), await measureOne(drizzle)];
      return {
        cpu: own.cpuUsPerRequest,
        database: own.databaseUs,
        both: own.cpuUsPerRequest + own.databaseUs,
        leastBoth: least.cpuUsPerRequest + least.databaseUs,
        perSecond: own.perSecond,
        embeddedPerSecond: (await measureOne(embedded)).perSecond,
        peersPerSecond: Math.max(...peers.map(({ perSecond }) => perSecond)),
      };
    });
    const what = 'PostgreSQL: list request, CPU of the';
    const peers = 'lists a second, relative to the better of Kysely and Drizzle on PostgreSQL';
    return [
      finding(`${what} service in microseconds`, spreadOf(found.cpu), '', 0),
      finding(`${what} database in microseconds`, spreadOf(found.database), '', 0),
      finding(
        `${what} service and its database, relative to minimal node:http + pg`,
        ratioOf(found.both, found.leastBoth),
        'at most 0.5',
      ),
      finding('PostgreSQL: list request, p99 to p50', ratioOf(tails.p99Ms, tails.p50Ms), 'at most 2.5'),
      finding('the same of the minimal server', ratioOf(leastTails.p99Ms, leastTails.p50Ms)),
      finding(`PostgreSQL: ${peers}`, ratioOf(found.perSecond, found.peersPerSecond), 'at least 3.5'),
      finding(`SQLite: ${peers}`, ratioOf(found.embeddedPerSecond, found.peersPerSecond), 'at least 5'),
    ];
  } finally {
    for (const { server } of servers) await server.stop();
  }
}
