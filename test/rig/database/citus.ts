import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../run/at-end.ts';
import { CITUS_URL, CITUS_WORKERS } from './citus-cluster.ts';
import { queryPostgres } from './postgres.ts';

export { CITUS_URL, CITUS_WORKERS };

export function onCitus(what: string, declare: () => void, workers = 0): void {
  const needed = workers === 0 ? '' : `, and ${workers} workers in TEST_CITUS_WORKERS`;
  if (CITUS_URL !== undefined && CITUS_WORKERS.length >= workers) declare();
  else
    test(`${what}: not run here; set TEST_CITUS_URL to postgres://USER@HOST:PORT of a coordinator${needed}`, (t) =>
      t.diagnostic('no cluster was tested'));
}

export const workerUrl = (worker: string) => {
  const url = new URL(CITUS_URL as string);
  url.host = worker;
  return String(url).replace(/\/$/, '');
};

const servers = () => [CITUS_URL as string, ...CITUS_WORKERS.map(workerUrl)];

const made = new Set<string>();
let count = 0;
atEnd(async () => {
  for (const url of made) await dropCitusDatabase(url);
});

export async function makeCoordinatorDatabase(): Promise<string> {
  const name = `test_citus_${process.pid}_${count++}`;
  const url = `${CITUS_URL}/${name}`;
  made.add(url);
  for (const server of servers()) await queryPostgres(`${server}/postgres`, `CREATE DATABASE ${name}`);
  return url;
}

export async function makeCitusDatabase(workers = CITUS_WORKERS): Promise<string> {
  const url = await makeCoordinatorDatabase();
  await addCitus(url, workers);
  return url;
}

export async function addCitus(url: string, workers = CITUS_WORKERS): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  for (const server of servers()) await queryPostgres(`${server}${pathname}`, 'CREATE EXTENSION citus');
  // Makes fewer shards than the default of 32, because shards take long to make and to empty.
  await queryPostgres(url, `ALTER DATABASE ${pathname.slice(1)} SET citus.shard_count = 4`);
  await queryPostgres(url, 'SELECT citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
  for (const worker of workers) await addWorker(url, worker);
  if (workers.length === 0) {
    const keepsShards = "SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)";
    await queryPostgres(url, keepsShards, [hostname, Number(port)]);
  }
}

export async function addWorker(url: string, worker: string): Promise<void> {
  const [host, port] = worker.split(':');
  await queryPostgres(url, 'SELECT citus_add_node($1, $2)', [host, Number(port)]);
}

export async function crashServer(server: string): Promise<void> {
  await queryPostgres(`${server}/postgres`, `COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID'`).then(
    () => assert.fail('the server did not crash'),
    (error) => assert.match(String(error), /terminat/i),
  );
}

export async function dropCitusDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  for (const server of servers()) {
    // Forbids connections first, because Citus or another server could connect again at any time.
    await queryPostgres(
      `${server}/postgres`,
      'UPDATE pg_database SET datallowconn = false WHERE datname = $1',
      [name],
    );
    await queryPostgres(`${server}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
  made.delete(url);
}

const free: string[] = [];

export const takeCitusDatabase = async () => free.pop() ?? (await makeCitusDatabase());

export async function returnCitusDatabase(url: string): Promise<void> {
  const [row] = await queryPostgres(
    url,
    `SELECT string_agg(quote_ident(tablename), ', ') AS tables,
       EXISTS (SELECT 1 FROM pg_constraint WHERE conname = 'database_was_moved') AS moved
     FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`,
  );
  if (row?.['moved'] === true) return dropCitusDatabase(url);
  await queryPostgres(url, `TRUNCATE ${row?.['tables']}`);
  free.push(url);
}
