import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../test/rig/postgres-server.ts';
import { type Measured, measure, minimalRequests, type Rounds, serviceRequests } from './list-requests.ts';
import { importInto } from './postgres.ts';
import { type DataSize, databaseOf, makeKeys } from './rig/data.ts';
import type { LoadRequest } from './rig/load.ts';
import { familyCpuMs } from './rig/process-use.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { type Finding, note } from './rig/report.ts';
import { type MeasuredServer, startPeer, startService } from './rig/server.ts';
import { ratioOf, shown, spreadOf } from './rig/statistics.ts';

const FOLDER = fileURLToPath(new URL('./peers/', import.meta.url));
const MINIMAL = 'minimal';
const PEERS = ['kysely', 'drizzle'];

interface Contender {
  name: string;
  server: MeasuredServer;
  requests: LoadRequest[];
}

/**
 * Compares the service with lists written with query builders and with minimal use of `pg`: the same rows and the same
 * mix, on the same PostgreSQL. The others do not authenticate, validate, seal cursors or log.
 */
export async function peers(size: DataSize, { rounds, secondsEach }: Rounds): Promise<Finding[]> {
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    const figure = 'not installed: npm ci --prefix bench/peers';
    return [{ name: 'comparison with Kysely and Drizzle', figure, goal: '' }];
  }
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  const contenders: Contender[] = [];
  try {
    const url = `${postgres.url}/peers`;
    await queryPostgresOnce(`${postgres.url}/postgres`, 'CREATE DATABASE peers');
    await importInto(url, size);
    await queryPostgresOnce(url, 'VACUUM (ANALYZE) transactions');
    const postmaster = Number(
      readFileSync(join(postgres.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    execFileSync('taskset', ['-acp', '0', String(postmaster)], { stdio: 'ignore' });

    const embedded = await databaseOf(size);
    contenders.push({
      name: 'service on PostgreSQL',
      server: await startService(url),
      requests: serviceRequests(size, await makeKeys(url, size)),
    });
    contenders.push({
      name: 'service on SQLite',
      server: await startService(`sqlite:${embedded.path}`),
      requests: serviceRequests(size, embedded.keys),
    });
    for (const name of [MINIMAL, ...PEERS]) {
      const server = await startPeer(join(FOLDER, `${name}.js`), url);
      contenders.push({ name, server, requests: minimalRequests(size) });
    }
    const found = await inTurns(contenders, postmaster, rounds, secondsEach);
    return findingsOf(found);
  } finally {
    for (const { server } of contenders) await server.stop();
    await postgres.stop();
  }
}

/** The figures of each contender, by round. */
type Found = Map<string, { perSecond: number[]; cpuUs: number[] }>;

async function inTurns(
  contenders: readonly Contender[],
  postmaster: number,
  rounds: number,
  secondsEach: number,
): Promise<Found> {
  const found: Found = new Map(contenders.map(({ name }) => [name, { perSecond: [], cpuUs: [] }]));
  for (let round = 0; round <= rounds; round++) {
    note(`peers: round ${round} of ${rounds}${round === 0 ? ' (to warm up)' : ''}`);
    for (const { name, server, requests } of contenders) {
      const before = familyCpuMs(postmaster);
      const measured: Measured = await measure(server, requests, secondsEach);
      if (round === 0) continue;
      const databaseUs = ((familyCpuMs(postmaster) - before) * 1000) / measured.answered;
      found.get(name)?.perSecond.push(measured.perSecond);
      found.get(name)?.cpuUs.push(measured.cpuUsPerRequest + databaseUs);
    }
  }
  return found;
}

function findingsOf(found: Found): Finding[] {
  const of = (name: string) => found.get(name) ?? { perSecond: [], cpuUs: [] };
  // The better peer of each round: it is not always the same one.
  const best = of(PEERS[0] as string).perSecond.map((_, round) =>
    Math.max(...PEERS.map((name) => of(name).perSecond[round] as number)),
  );
  return [
    ...[...found].flatMap(([name, { perSecond, cpuUs }]) => [
      { name: `${name}: list requests a second`, figure: shown(spreadOf(perSecond), 0), goal: '' },
      {
        name: `${name}: CPU of a list request with the database, in microseconds`,
        figure: shown(spreadOf(cpuUs), 0),
        goal: '',
      },
    ]),
    {
      name: 'service on SQLite: list requests a second, relative to the better of Kysely and Drizzle on PostgreSQL',
      figure: shown(ratioOf(of('service on SQLite').perSecond, best)),
      goal: 'at least 6',
    },
    {
      name: 'service on PostgreSQL: list requests a second, relative to the better of Kysely and Drizzle',
      figure: shown(ratioOf(of('service on PostgreSQL').perSecond, best)),
      goal: 'at least 3.5',
    },
    {
      name: 'service on PostgreSQL: CPU with the database, relative to a minimal handler on pg',
      figure: shown(ratioOf(of('service on PostgreSQL').cpuUs, of(MINIMAL).cpuUs)),
      goal: 'at most 0.55',
    },
  ];
}
