import { after } from 'node:test';
import pg from 'pg';
import { OLDEST_SERVER_VARIABLE, SERVER_VARIABLE } from './global-setup.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { oldestIsMissing, startOldestPostgres } from './postgres-versions.ts';

const made: { server: string; name: string }[] = [];
let url: Promise<string> | undefined;
let oldestUrl: Promise<string> | undefined;
const roles: typeof made = [];
let databases = 0;
const own: PostgresServer[] = [];

/** After all tests of the file: what it made in a server that others use is gone. */
after(async () => {
  for (const { server, name } of made) {
    await queryPostgres(`${server}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
  for (const { server, name } of roles) await queryPostgres(`${server}/postgres`, `DROP ROLE ${name}`);
  for (const server of own) await server.stop();
});

/** The server of this run, or one of this file's own where the file runs alone. */
export function postgresUrl(): Promise<string> {
  url ??= Promise.resolve(process.env[SERVER_VARIABLE] ?? startOwn(startPostgres));
  return url;
}

/** The same of the oldest supported version, where it is not missing. */
export function oldestPostgresUrl(): Promise<string> {
  oldestUrl ??= Promise.resolve(process.env[OLDEST_SERVER_VARIABLE] ?? startOwn(startOldestPostgres));
  return oldestUrl;
}

async function startOwn(start: () => Promise<PostgresServer>): Promise<string> {
  const server = await start();
  own.push(server);
  return server.url;
}

/** The versions that plans and costs are tested on. */
export const POSTGRES_VERSIONS = [
  { version: 'the newest PostgreSQL', serverUrl: postgresUrl, skip: false },
  { version: 'the oldest PostgreSQL', serverUrl: oldestPostgresUrl, skip: oldestIsMissing },
] as const;

/** Asks a database once, on a connection of its own. */
export async function queryPostgres(
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
  await queryPostgres(`${on}/postgres`, `CREATE DATABASE ${name}`);
  if (server === undefined) made.push({ server: on, name });
  return `${on}/${name}`;
}

/** The name of a new role that may connect and has no right; it is gone after the tests of the file. */
export async function makePostgresRole(password: string): Promise<string> {
  const server = await postgresUrl();
  const name = `test_role_${process.pid}_${roles.length}`;
  await queryPostgres(`${server}/postgres`, `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  roles.push({ server, name });
  return name;
}
