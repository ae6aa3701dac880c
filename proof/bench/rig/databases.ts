import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../../test/rig/database/postgres-server.ts';
import { CACHE } from './data.ts';
import { familyCpuMs } from './process-use.ts';
import { queryPostgresOnce } from './query-postgres.ts';

/** New databases of one kind. */
export interface Databases {
  /** The name of the store in the report. */
  store: 'SQLite' | 'PostgreSQL';
  create(): Promise<string>;
  /** The database server's CPU time so far, in ms; 0 for SQLite, which works in its user's process. */
  serverCpuMs(): number;
}

/** Runs work with new databases of each store, one store after the other. */
export async function withDatabases(
  name: string,
  work: (databases: Databases) => Promise<void>,
): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(`${CACHE}${name}-`);
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  const postmaster = Number(
    readFileSync(join(postgres.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  let count = 0;
  try {
    await work({
      store: 'SQLite',
      create: async () => `sqlite:${folder}/${++count}.db`,
      serverCpuMs: () => 0,
    });
    await work({
      store: 'PostgreSQL',
      create: async () => {
        await queryPostgresOnce(`${postgres.url}/postgres`, `CREATE DATABASE bench_${++count}`);
        return `${postgres.url}/bench_${count}`;
      },
      serverCpuMs: () => familyCpuMs(postmaster),
    });
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}
