import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { TEMPLATE_VARIABLE } from './postgres-programs.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { oldestIsMissing, startOldestPostgres } from './postgres-versions.ts';

/** The environment variable with the address of the run's server. */
export const SERVER_VARIABLE = 'TEST_POSTGRES_SERVER';
/** The environment variable with the address of the server of the oldest supported version. */
export const OLDEST_SERVER_VARIABLE = 'TEST_OLDEST_POSTGRES_SERVER';

const servers: PostgresServer[] = [];
let tested = '';

/**
 * Runs once before all test files. They share one PostgreSQL server, given by TEST_POSTGRES_URL or started here, and one
 * of the oldest supported version for the tests of plans and costs.
 */
export async function globalSetup(): Promise<void> {
  // Compiling the same modules in each file takes a quarter of the time of an HTTP test file.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
    new URL('../../node_modules/.cache/tests', import.meta.url),
  );
  const given = process.env['TEST_POSTGRES_URL'];
  const start = async (starting: Promise<PostgresServer>) => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  const newest = given === undefined ? await start(startPostgres({ isTemplate: true })) : undefined;
  // Only the programs of the npm package are copied to this folder.
  if (newest !== undefined && existsSync(`${newest.folder}/native`))
    process.env[TEMPLATE_VARIABLE] = newest.folder;
  const oldest = oldestIsMissing === false ? await start(startOldestPostgres()) : undefined;
  const url = newest?.url ?? withoutDatabase(given as string);
  process.env[SERVER_VARIABLE] = url;
  if (oldest !== undefined) process.env[OLDEST_SERVER_VARIABLE] = oldest.url;
  const source = newest?.source ?? 'given by TEST_POSTGRES_URL';
  const plans = oldest === undefined ? oldestIsMissing : `${await versionOf(oldest.url)} (${oldest.source})`;
  tested = `Stores tested: SQLite ${process.versions['sqlite']} (of Node), PostgreSQL ${await versionOf(url)} (${source}); plans and costs also: ${plans}.\n`;
}

async function versionOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: 5000 });
  await client.connect();
  const { rows } = await client.query('SHOW server_version');
  await client.end();
  return rows[0].server_version;
}

function withoutDatabase(url: string): string {
  const parts = new URL(url);
  parts.pathname = '';
  parts.search = '';
  return parts.href.replace(/\/$/, '');
}

export async function globalTeardown(): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
  process.stdout.write(tested);
}
