import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_FILTER } from '../src/ledger/list/list-filter.ts';
import { shapeOf } from '../src/ledger/list/list-shape.ts';
import { listSql } from '../src/ledger/list/postgres/list-sql.ts';
import { type PostgresServer, startPostgres } from '../test/rig/database/postgres-server.ts';
import { growthOf, type PageCost } from './growth.ts';
import { measure, type Rounds, serviceRequests, warmUp } from './list-requests.ts';
import {
  CACHE,
  type DataSize,
  LARGE_ACCOUNT,
  makeKeys,
  positionOf,
  SPACING_MS,
  smallAccount,
} from './rig/data.ts';
import { importInto } from './rig/import-process.ts';
import { familyCpuMs } from './rig/process-use.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { type Finding, note } from './rig/report.ts';
import { startService } from './rig/server.ts';
import { ratioOf, type Spread, shown, spreadOf } from './rig/statistics.ts';

const SETTLING_MS = 500;
const LIMIT = 11;

const TIME: PageCost = {
  name: 'PostgreSQL: time of a page',
  nowUs: () => performance.now() * 1000,
  goal: 'at most 1.3',
};

/** List requests compared with pgbench, and growth, on a PostgreSQL server that the benchmark starts. */
export async function postgresBenchmarks(size: DataSize, small: DataSize, scale: Rounds): Promise<Finding[]> {
  const server = await startPostgres({
    settings: { shared_buffers: '1GB', max_wal_size: '4GB', synchronous_commit: 'on' },
  });
  try {
    const large = `${server.url}/large`;
    const little = `${server.url}/little`;
    await queryPostgresOnce(`${server.url}/postgres`, 'CREATE DATABASE large');
    await queryPostgresOnce(`${server.url}/postgres`, 'CREATE DATABASE little');
    await importInto(large, size);
    await importInto(little, small);
    for (const url of [large, little]) await queryPostgresOnce(url, 'VACUUM (ANALYZE) transactions');
    return [
      await diskOf(large),
      ...(await comparedWithPgbench(server, large, size, scale)),
      ...(await growthOf({ urls: [large, little], sizes: [size, small] }, TIME, scale)),
    ];
  } finally {
    await server.stop();
  }
}

async function diskOf(databaseUrl: string): Promise<Finding> {
  const size = await queryPostgresOnce(
    databaseUrl,
    "SELECT pg_total_relation_size('transactions') / 1048576",
  );
  return { name: 'PostgreSQL: size of the table and its indexes, MB', figure: String(size), goal: '' };
}

const PGBENCH = [
  '/usr/bin/pgbench',
  ...['18', '17', '16', '15'].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`),
];

async function comparedWithPgbench(
  server: PostgresServer,
  databaseUrl: string,
  size: DataSize,
  scale: Rounds,
): Promise<Finding[]> {
  const { rounds, secondsEach } = scale;
  const pgbench = PGBENCH.find(existsSync);
  const postmaster = Number(
    readFileSync(join(server.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  execFileSync('taskset', ['-acp', '0', String(postmaster)], { stdio: 'ignore' });
  const service = await startService(databaseUrl);
  const requests = serviceRequests(size, await makeKeys(databaseUrl, size));
  const found = { service: [] as number[], database: [] as number[], rate: [] as number[] };
  const bare = { database: [] as number[], rate: [] as number[] };
  try {
    await warmUp(service, requests, scale);
    for (let round = 0; round < rounds; round++) {
      note(`PostgreSQL: list requests, round ${round + 1} of ${rounds}`);
      const before = familyCpuMs(postmaster);
      const { answered, cpuUsPerRequest, perSecond } = await measure(service, requests, secondsEach);
      found.service.push(cpuUsPerRequest);
      found.database.push(((familyCpuMs(postmaster) - before) * 1000) / answered);
      found.rate.push(perSecond);
      if (pgbench === undefined) continue;
      const measured = await runPgbench(pgbench, databaseUrl, size, secondsEach, () =>
        familyCpuMs(postmaster),
      );
      bare.database.push(measured.cpuUs);
      bare.rate.push(measured.perSecond);
    }
  } finally {
    await service.stop();
  }
  const line = (name: string, spread: Spread, digits: number, goal = ''): Finding => ({
    name: `PostgreSQL: ${name}`,
    figure: shown(spread, digits),
    goal,
  });
  const lines = [
    line('list request, CPU of the service in microseconds', spreadOf(found.service), 0),
    line('list request, CPU of the database in microseconds', spreadOf(found.database), 0),
    line('list requests a second', spreadOf(found.rate), 0),
  ];
  if (pgbench === undefined)
    return [...lines, { name: 'PostgreSQL: pgbench', figure: 'not installed', goal: '' }];
  return [
    ...lines,
    line('list requests a second, relative to pgbench -M prepared', ratioOf(found.rate, bare.rate), 2),
    line(
      'CPU of the database for a page, relative to pgbench',
      ratioOf(found.database, bare.database),
      2,
      'at most 0.75',
    ),
  ];
}

/** Runs the list statement with pgbench, for the same mix of pages. */
async function runPgbench(
  pgbench: string,
  databaseUrl: string,
  size: DataSize,
  seconds: number,
  cpuNow: () => number,
): Promise<{ cpuUs: number; perSecond: number }> {
  const firstPage = { account: '', filter: NO_FILTER, after: null };
  const deepPage = { account: '', filter: NO_FILTER, after: positionOf(0) };
  const sqlOf = (query: typeof firstPage | typeof deepPage, values: readonly string[]) =>
    listSql(shapeOf(query).shape, { topology: 'one server' }).replaceAll(
      /\$(\d+)/g,
      (_, number) => values[Number(number) - 1] as string,
    );
  const scripts = [
    {
      weight: 4,
      text: `\\set n random(0, ${size.smallAccounts - 1})\n${sqlOf(firstPage, [`'${smallAccount(0).replace(/0$/, '')}' || :n`, String(LIMIT)])};\n`,
    },
    {
      weight: 1,
      text: `\\set n random(100, ${size.largeRows - 100})\n\\set at ${positionOf(0).createdAtMs} + :n * ${SPACING_MS}\n${sqlOf(deepPage, [`'${LARGE_ACCOUNT}'`, 'cast(:at as bigint)', `('r' || lpad(cast(cast(:n as bigint) as text), 8, '0'))`, String(LIMIT)])};\n`,
    },
  ].map(({ weight, text }, index) => {
    const path = `${CACHE}pgbench-${index}.sql`;
    writeFileSync(path, text);
    return ['-f', `${path}@${weight}`];
  });
  const before = cpuNow();
  const printed = execFileSync(
    'taskset',
    [
      '-c',
      '1',
      pgbench,
      '-n',
      '-M',
      'prepared',
      '-c',
      '8',
      '-T',
      String(Math.ceil(seconds)),
      ...scripts.flat(),
      databaseUrl,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  // The CPU of a connection is counted when its process has ended. Without the wait, it would count for the next round.
  await delay(SETTLING_MS);
  const pages = Number(/transactions actually processed: (\d+)/.exec(printed)?.[1]);
  return {
    cpuUs: ((cpuNow() - before) * 1000) / pages,
    perSecond: Number(/tps = ([\d.]+)/.exec(printed)?.[1]),
  };
}
