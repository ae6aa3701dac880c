import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../../test/rig/database/postgres-server.ts';
import { accountsOf, CACHE, type Data, type DataSize, databaseOf, makeKeys, sealAll } from './data.ts';
import { importInto } from './import-process.ts';
import { familyCpuMs } from './process-use.ts';
import type { Finding } from './report.ts';

export interface Databases {
  store: 'SQLite' | 'PostgreSQL';
  create(): Promise<string>;
  /** The CPU time that the database server has used. SQLite has no server, so this is 0. */
  serverCpuMs(): number;
  serverPid?: number;
}

export interface FilledDatabase extends Databases {
  url: string;
  keys: Data['keys'];
}

export async function onBothStores(
  name: string,
  measure: (databases: Databases) => Promise<Finding[]>,
): Promise<Finding[]> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(`${CACHE}${name}-`);
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  const postmaster = readFileSync(join(postgres.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0];
  const serverPid = Number(postmaster);
  let count = 0;
  const create = async () => {
    await runSql(`${postgres.url}/postgres`, `CREATE DATABASE bench_${++count}`);
    return `${postgres.url}/bench_${count}`;
  };
  const inFile = async () => `sqlite:${folder}/${++count}.db`;
  try {
    return [
      ...(await measure({ store: 'SQLite', create: inFile, serverCpuMs: () => 0 })),
      ...(await measure({
        store: 'PostgreSQL',
        create,
        serverCpuMs: () => familyCpuMs(serverPid),
        serverPid,
      })),
    ];
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}

export async function filledDatabase(databases: Databases, size: DataSize): Promise<FilledDatabase> {
  if (databases.store === 'SQLite') {
    const { path, keys } = await databaseOf(size);
    return { ...databases, url: `sqlite:${path}`, keys };
  }
  const url = await databases.create();
  await importInto(url, size);
  await sealAll(url, accountsOf(size));
  await runSql(url, 'VACUUM (ANALYZE)');
  return { ...databases, url, keys: await makeKeys(url, accountsOf(size)) };
}

async function runSql(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
