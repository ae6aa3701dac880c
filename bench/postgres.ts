import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_FILTER } from '../src/ledger/list/list-filter.ts';
import { shapeOf } from '../src/ledger/list/list-shape.ts';
import { listSql } from '../src/ledger/list/postgres/list-sql.ts';
import { openStore } from '../src/store/open-store.ts';
import { type PostgresServer, startPostgres } from '../test/rig/postgres-server.ts';
import { callsEach, FILTERS } from './growth.ts';
import { measure, type Rounds, serviceRequests } from './list-requests.ts';
import {
  BINARY,
  CACHE,
  type DataSize,
  LARGE_ACCOUNT,
  makeKeys,
  positionOf,
  rowsOf,
  SPACING_MS,
  smallAccount,
  writeCsv,
} from './rig/data.ts';
import { familyCpuMs, residentMb } from './rig/process-use.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { type Finding, note } from './rig/report.ts';
import { startService } from './rig/server.ts';
import { ratioOf, type Spread, shown, spreadOf } from './rig/statistics.ts';

const CALLS_EACH = 1500;
const SETTLING_MS = 500;
const LIMIT = 11;

/** Import, list requests compared with pgbench, and growth, on a PostgreSQL server that the benchmark starts. */
export async function postgresBenchmarks(
  size: DataSize,
  small: DataSize,
  { rounds, secondsEach }: Rounds,
): Promise<Finding[]> {
  const server = await startPostgres({
    settings: { shared_buffers: '1GB', max_wal_size: '4GB', synchronous_commit: 'on' },
  });
  try {
    const large = `${server.url}/large`;
    const little = `${server.url}/little`;
    await queryPostgresOnce(`${server.url}/postgres`, 'CREATE DATABASE large');
    await queryPostgresOnce(`${server.url}/postgres`, 'CREATE DATABASE little');
    const findings = await importInto(large, size);
    await importInto(little, small);
    for (const url of [large, little]) await queryPostgresOnce(url, 'VACUUM (ANALYZE) transactions');
    findings.push(await diskOf(large));
    findings.push(...(await comparedWithPgbench(server, large, size, { rounds, secondsEach })));
    findings.push(...(await growthOf(large, little, size, small, rounds)));
    return findings;
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

export async function importInto(databaseUrl: string, size: DataSize): Promise<Finding[]> {
  const rows = rowsOf(size);
  note(`PostgreSQL: importing ${rows.toLocaleString('en')} rows`);
  const child = spawn(process.execPath, [BINARY, 'import', '-', '--format', 'csv'], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const startedAtMs = performance.now();
  const exited = once(child, 'exit');
  let most = 0;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMb(child.pid as number));
  }, 100);
  await writeCsv(size, child.stdin);
  const [status] = await exited;
  clearInterval(sampling);
  if (status !== 0) throw new Error('the import failed');
  const rate = rows / ((performance.now() - startedAtMs) / 1000);
  return [
    {
      name: `PostgreSQL: import of ${rows.toLocaleString('en')} rows, rows a second`,
      figure: rate.toFixed(0),
      goal: 'at least 40,000',
    },
    { name: 'PostgreSQL: import, peak memory, MB', figure: most.toFixed(0), goal: 'flat' },
  ];
}

const PGBENCH = [
  '/usr/bin/pgbench',
  ...['18', '17', '16', '15'].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`),
];

async function comparedWithPgbench(
  server: PostgresServer,
  databaseUrl: string,
  size: DataSize,
  { rounds, secondsEach }: Rounds,
): Promise<Finding[]> {
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
    if (rounds > 1) await measure(service, requests, secondsEach);
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

/** Whether the time of a page grows with depth, filters or rows. The queries are sent one at a time. */
async function growthOf(
  large: string,
  little: string,
  size: DataSize,
  small: DataSize,
  rounds: number,
): Promise<Finding[]> {
  const stores = await Promise.all(
    [large, little].map(async (url) => (await openStore(url, Date.now)).store),
  );
  const [big, tiny] = stores as [(typeof stores)[0], (typeof stores)[0]];
  const calls = callsEach(rounds, CALLS_EACH);
  const time = async (store: typeof big, filter: typeof NO_FILTER, deepAt: number | null) => {
    const before = performance.now();
    for (let call = 0; call < calls; call++) {
      const after = deepAt === null ? null : positionOf(deepAt + (call % 50) * 10);
      await store.listTransactions({ account: LARGE_ACCOUNT, filter, after }, LIMIT);
    }
    return (performance.now() - before) / calls;
  };
  const deepest = Math.max(LIMIT, size.largeRows - Math.min(1_000_000, size.largeRows - 1000));
  const found = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    note(`PostgreSQL: growth, round ${round} of ${rounds}${round === 0 ? ' (to warm up)' : ''}`);
    if (round === 1) found.clear();
    const put = (name: string, ratio: number) => found.set(name, [...(found.get(name) ?? []), ratio]);
    for (const [name, filter] of FILTERS) {
      const base = await time(big, NO_FILTER, null);
      put(
        `${name}, first page, relative to the first page without filters`,
        (await time(big, filter, null)) / base,
      );
      put(
        `${name}, deep page, relative to the first page without filters`,
        (await time(big, filter, deepest)) / base,
      );
    }
    const sizes = `in ${rowsOf(size).toLocaleString('en')} rows, relative to ${rowsOf(small).toLocaleString('en')}`;
    put(`first page ${sizes}`, (await time(big, NO_FILTER, null)) / (await time(tiny, NO_FILTER, null)));
    put(
      `deep page ${sizes}`,
      (await time(big, NO_FILTER, deepest)) / (await time(tiny, NO_FILTER, Math.floor(small.largeRows / 2))),
    );
  }
  for (const store of stores) await store.close();
  return [...found].map(([name, ratios]) => ({
    name: `PostgreSQL: time of a page: ${name}`,
    figure: shown(spreadOf(ratios)),
    goal: 'at most 1.3',
  }));
}
