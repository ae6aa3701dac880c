import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../test/rig/postgres-server.ts';
import { CACHE } from './data.ts';
import { cpuMs, familyCpuMs } from './process-use.ts';
import { queryPostgresOnce } from './query-postgres.ts';
import { binaryOf, THIS_VERSION } from './versions.ts';

/** New databases of one kind. */
export interface Databases {
  /** The name of the store in the report. */
  store: 'SQLite' | 'PostgreSQL';
  /** Creates a database, empty or as a copy of another one to which nobody is connected. */
  create(copyOf?: string): Promise<string>;
  /** The CPU time of the database server so far, in milliseconds; 0 for SQLite, which works in the process that uses it. */
  serverCpuMs(): number;
}

/** Runs work with a folder for temporary files, and then with new databases of each store, one store after the other. */
export async function withDatabases(
  name: string,
  work: (databases: Databases, folder: string) => Promise<void>,
): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(`${CACHE}${name}-`);
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  const postmaster = Number(
    readFileSync(join(postgres.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  let count = 0;
  try {
    await work(
      {
        store: 'SQLite',
        create: async (copyOf) => {
          const path = `${folder}/${++count}.db`;
          if (copyOf !== undefined) await run('cp', [copyOf.slice('sqlite:'.length), path]);
          return `sqlite:${path}`;
        },
        serverCpuMs: () => 0,
      },
      folder,
    );
    await work(
      {
        store: 'PostgreSQL',
        create: async (copyOf) => {
          const template = copyOf === undefined ? '' : ` TEMPLATE ${new URL(copyOf).pathname.slice(1)}`;
          await queryPostgresOnce(`${postgres.url}/postgres`, `CREATE DATABASE bench_${++count}${template}`);
          return `${postgres.url}/bench_${count}`;
        },
        serverCpuMs: () => familyCpuMs(postmaster),
      },
      folder,
    );
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const [status] = await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
  if (status !== 0) throw new Error(`${program} failed`);
}

export interface CommandResult {
  tookMs: number;
  /** The CPU time of the command, in milliseconds, up to its last sample. */
  cpuMs: number;
  /** When each piece of its output came, in milliseconds after its start. */
  output: { atMs: number; text: string }[];
}

const SAMPLE_EVERY_MS = 20;

/** Runs a command of a version. */
export async function runCommand(
  databaseUrl: string,
  args: readonly string[],
  root = THIS_VERSION,
): Promise<CommandResult> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [binaryOf(root), ...args], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output: CommandResult['output'] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.push({ atMs: performance.now() - startedAtMs, text });
  });
  let cpu = 0;
  const sampling = setInterval(() => {
    const used = cpuMs(child.pid as number);
    if (!Number.isNaN(used)) cpu = used;
  }, SAMPLE_EVERY_MS);
  const [status] = await once(child, 'exit');
  clearInterval(sampling);
  if (status !== 0) throw new Error(`transactions ${args[0]} failed`);
  return { tookMs: performance.now() - startedAtMs, cpuMs: cpu, output };
}
