import pg from 'pg';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** Where the test files find the server of the run. */
export const SERVER_VARIABLE = 'TEST_POSTGRES_SERVER';

let server: PostgresServer | undefined;
let tested = '';

/** Runs once before all test files: one PostgreSQL for all of them, given by TEST_POSTGRES_URL or started here. */
export async function globalSetup(): Promise<void> {
  const given = process.env['TEST_POSTGRES_URL'];
  if (given === undefined) server = await startPostgres();
  const url = server?.url ?? withoutDatabase(given as string);
  process.env[SERVER_VARIABLE] = url;
  const client = new pg.Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: 5000 });
  await client.connect();
  const { rows } = await client.query('SHOW server_version');
  await client.end();
  const source = server?.source ?? 'given by TEST_POSTGRES_URL';
  tested = `Stores tested: SQLite ${process.versions['sqlite']} (of Node), PostgreSQL ${rows[0].server_version} (${source}).\n`;
}

function withoutDatabase(url: string): string {
  const parts = new URL(url);
  parts.pathname = '';
  parts.search = '';
  return parts.href.replace(/\/$/, '');
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  process.stdout.write(tested);
}
