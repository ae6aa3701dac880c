import { after } from 'node:test';
import pg from 'pg';
import { SERVER_VARIABLE } from './global-setup.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

const made: { server: string; name: string }[] = [];
let url: Promise<string> | undefined;
const roles: typeof made = [];
let databases = 0;
let own: PostgresServer | undefined;

/** After all tests of the file: what it made in a server that others use is gone. */
after(async () => {
  for (const { server, name } of made) {
    await askPostgres(`${server}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
  for (const { server, name } of roles) await askPostgres(`${server}/postgres`, `DROP ROLE ${name}`);
  await own?.stop();
});

/** The server of this run, or one of this file's own where the file runs alone. */
export function postgresUrl(): Promise<string> {
  url ??= Promise.resolve(process.env[SERVER_VARIABLE] ?? startOwn());
  return url;
}

async function startOwn(): Promise<string> {
  own = await startPostgres();
  return own.url;
}

/** Asks a database once, on a connection of its own. */
export async function askPostgres(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows ?? [];
  } finally {
    await client.end();
  }
}

/** The address of a new and empty database, on the server of the run or another one. */
export async function makePostgresDatabase(server?: string): Promise<string> {
  const on = server ?? (await postgresUrl());
  const name = `test_${process.pid}_${++databases}`;
  await askPostgres(`${on}/postgres`, `CREATE DATABASE ${name}`);
  if (server === undefined) made.push({ server: on, name });
  return `${on}/${name}`;
}

/** The name of a new role that may connect and has no right; it is gone after the tests of the file. */
export async function makePostgresRole(password: string): Promise<string> {
  const server = await postgresUrl();
  const name = `test_role_${process.pid}_${roles.length}`;
  await askPostgres(`${server}/postgres`, `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  roles.push({ server, name });
  return name;
}
