import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '../../test/rig/database/postgres-server.ts';
import { growthOf, type PageCost } from './growth.ts';
import { measure, type Rounds, serviceRequests, warmUp } from './list-requests.ts';
import { type DataSize, makeKeys } from './rig/data.ts';
import { importInto } from './rig/import-process.ts';
import { familyCpuMs } from './rig/process-use.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { type Finding, note } from './rig/report.ts';
import { startService } from './rig/server.ts';
import { shown, spreadOf } from './rig/statistics.ts';

const TIME: PageCost = {
  name: 'PostgreSQL: time of a page',
  nowUs: () => performance.now() * 1000,
  goal: 'at most 1.3',
};

/** List requests, and growth, on a PostgreSQL server that the benchmark starts. */
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
      ...(await listsOf(server, large, size, scale)),
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

async function listsOf(
  server: PostgresServer,
  databaseUrl: string,
  size: DataSize,
  scale: Rounds,
): Promise<Finding[]> {
  const { rounds, secondsEach } = scale;
  const postmaster = Number(
    readFileSync(join(server.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  execFileSync('taskset', ['-acp', '0', String(postmaster)], { stdio: 'ignore' });
  const service = await startService(databaseUrl);
  const requests = serviceRequests(size, await makeKeys(databaseUrl, size));
  const found = { service: [] as number[], database: [] as number[], rate: [] as number[] };
  try {
    await warmUp(service, requests, scale);
    for (let round = 0; round < rounds; round++) {
      note(`PostgreSQL: list requests, round ${round + 1} of ${rounds}`);
      const before = familyCpuMs(postmaster);
      const { answered, cpuUsPerRequest, perSecond } = await measure(service, requests, secondsEach);
      found.service.push(cpuUsPerRequest);
      found.database.push(((familyCpuMs(postmaster) - before) * 1000) / answered);
      found.rate.push(perSecond);
    }
  } finally {
    await service.stop();
  }
  const line = (name: string, values: readonly number[]): Finding => ({
    name: `PostgreSQL: ${name}`,
    figure: shown(spreadOf(values), 0),
    goal: '',
  });
  return [
    line('list request, CPU of the service in microseconds', found.service),
    line('list request, CPU of the database in microseconds', found.database),
    line('list requests a second', found.rate),
  ];
}
