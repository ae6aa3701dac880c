import { after } from 'node:test';
import { queryPostgres } from './postgres.ts';

/** The coordinator of a cluster in which databases can be created. No package includes one. */
export const CITUS_URL = process.env['TEST_CITUS_URL'];
/** Its workers, as HOST:PORT separated by commas. Without workers, the coordinator has the shards. */
export const CITUS_WORKERS = (process.env['TEST_CITUS_WORKERS'] ?? '')
  .split(',')
  .filter((worker) => worker !== '');

const workerUrl = (worker: string) => {
  const url = new URL(CITUS_URL as string);
  url.host = worker;
  return String(url).replace(/\/$/, '');
};

const servers = () => [CITUS_URL as string, ...CITUS_WORKERS.map(workerUrl)];

/** The databases that exist. */
const made = new Set<string>();
let count = 0;
after(async () => {
  for (const url of made) await dropCitusDatabase(url);
});

/** Makes a database of the cluster: on its workers, or on the coordinator alone. `workers`: where the cluster reaches them. */
export async function makeCitusDatabase(workers = CITUS_WORKERS): Promise<string> {
  const name = `test_citus_${process.pid}_${count++}`;
  const url = `${CITUS_URL}/${name}`;
  made.add(url);
  for (const server of servers()) {
    await queryPostgres(`${server}/postgres`, `CREATE DATABASE ${name}`);
    await queryPostgres(`${server}/${name}`, 'CREATE EXTENSION citus');
  }
  // The default of 32 shards takes longer to make and to empty, and every statement has one shard.
  await queryPostgres(url, `ALTER DATABASE ${name} SET citus.shard_count = 4`);
  const { hostname, port } = new URL(url);
  await queryPostgres(url, 'SELECT citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
  for (const worker of workers) {
    const [host, workerPort] = worker.split(':');
    await queryPostgres(url, 'SELECT citus_add_node($1, $2)', [host, Number(workerPort)]);
  }
  if (workers.length === 0) {
    const keepsShards = "SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)";
    await queryPostgres(url, keepsShards, [hostname, Number(port)]);
  }
  return url;
}

export async function dropCitusDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  for (const server of servers())
    await queryPostgres(`${server}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  made.delete(url);
}

/** Databases that no test uses now. They are empty. */
const free: string[] = [];

/** An empty database. It can have been used by a test before: making one takes seconds, and emptying it does not. */
export const takeCitusDatabase = async () => free.pop() ?? (await makeCitusDatabase());

/** Empties a database, for the next test to take. */
export async function returnCitusDatabase(url: string): Promise<void> {
  const [row] = await queryPostgres(
    url,
    `SELECT string_agg(quote_ident(tablename), ', ') AS tables FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`,
  );
  await queryPostgres(url, `TRUNCATE ${row?.['tables']}`);
  free.push(url);
}
