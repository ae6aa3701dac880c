import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { SessionLimits } from '../../../src/db/postgres/driver/index.ts';
import { grantRole } from '../../../src/store/open-store.ts';
import { atEnd } from '../run/at-end.ts';
import { GIVE_UP_MS } from '../run/give-up.ts';
import { OLDEST_SERVER_VARIABLE, SERVER_VARIABLE } from '../run/global-setup.ts';
import { someInTier } from '../run/tier.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { oldestIsMissing, startOldestPostgres } from './postgres-versions.ts';

export const ROLE_PASSWORD = 'hunter2';

export const sessionLimits = (timeoutMs: number): SessionLimits => ({
  statementTimeoutMs: timeoutMs,
  connectTimeoutMs: timeoutMs,
  lockTimeoutMs: timeoutMs,
  idleInTransactionTimeoutMs: timeoutMs,
});

const databases: { server: string; name: string }[] = [];
let url: Promise<string> | undefined;
let oldestUrl: Promise<string> | undefined;
const roles: typeof databases = [];
const own: PostgresServer[] = [];

atEnd(async () => {
  for (const { server, name } of databases) {
    await queryPostgres(`${server}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
  for (const { server, name } of roles) await queryPostgres(`${server}/postgres`, `DROP ROLE ${name}`);
  for (const server of own) await server.stop();
});

export function postgresUrl(): Promise<string> {
  url ??= Promise.resolve(process.env[SERVER_VARIABLE] ?? startOwn(startPostgres));
  return url;
}

export function oldestPostgresUrl(): Promise<string> {
  oldestUrl ??= Promise.resolve(process.env[OLDEST_SERVER_VARIABLE] ?? startOwn(startOldestPostgres));
  return oldestUrl;
}

async function startOwn(start: () => Promise<PostgresServer>): Promise<string> {
  const server = await start();
  own.push(server);
  return server.url;
}

const VERSIONS = [
  { version: 'the newest PostgreSQL', serverUrl: postgresUrl, skip: false },
  { version: 'the oldest PostgreSQL', serverUrl: oldestPostgresUrl, skip: oldestIsMissing },
] as const;

export const POSTGRES_VERSIONS = [
  ...someInTier(
    VERSIONS.filter(({ skip }) => skip === false),
    1,
  ),
  ...VERSIONS.filter(({ skip }) => skip !== false),
];

export async function queryPostgres(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: GIVE_UP_MS });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows ?? [];
  } finally {
    await client.end();
  }
}

export async function countOtherSessions(databaseUrl: string): Promise<number> {
  const others =
    'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  const [row] = await queryPostgres(databaseUrl, others);
  return Number(row?.['count']);
}

export async function isLockAwaited(databaseUrl: string, inQuery = ''): Promise<boolean> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
  return (await queryPostgres(databaseUrl, waiting, [`%${inQuery}%`])).length > 0;
}

export async function withPostgresClient(
  databaseUrl: string,
  options: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, ...(options !== '' && { options }) });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export async function makePostgresDatabase(server?: string, copied = 'template1'): Promise<string> {
  const on = server ?? (await postgresUrl());
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  // Copying the files takes a third of the time that writing each page to the log takes.
  await queryPostgres(`${on}/postgres`, `CREATE DATABASE ${name} TEMPLATE ${copied} STRATEGY FILE_COPY`);
  if (server === undefined) databases.push({ server: on, name });
  return `${on}/${name}`;
}

export async function makePostgresRole(databaseUrl: string): Promise<{ role: string; url: string }> {
  const server = await postgresUrl();
  const role = `test_role_${process.pid}_${randomBytes(4).toString('hex')}`;
  await queryPostgres(`${server}/postgres`, `CREATE ROLE ${role} LOGIN PASSWORD '${ROLE_PASSWORD}'`);
  roles.push({ server, name: role });
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = ROLE_PASSWORD;
  return { role, url: url.href };
}

export async function makeServingRole(databaseUrl: string): Promise<{ role: string; url: string }> {
  const made = await makePostgresRole(databaseUrl);
  await grantRole(databaseUrl, made.role);
  return made;
}

export async function dropPostgresDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  await queryPostgres(server.href, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}
