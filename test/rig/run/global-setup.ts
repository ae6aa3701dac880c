import { existsSync } from 'node:fs';
import pg from 'pg';
import { openStore } from '../../../src/store/open-store.ts';
import { TEMPLATE_VARIABLE } from '../database/postgres-programs.ts';
import { type PostgresServer, startPostgres } from '../database/postgres-server.ts';
import { oldestIsMissing, startOldestPostgres } from '../database/postgres-versions.ts';
import { GIVE_UP_MS } from './give-up.ts';

export const SERVER_VARIABLE = 'TEST_POSTGRES_SERVER';
export const OLDEST_SERVER_VARIABLE = 'TEST_OLDEST_POSTGRES_SERVER';
export const MIGRATED_VARIABLE = 'TEST_POSTGRES_MIGRATED';

/** Without full page writes, PostgreSQL writes less. Only a crash of the machine could damage the data. */
const SERVER_SETTINGS = { full_page_writes: 'off' };

const servers: PostgresServer[] = [];
let migrated: { url: string; name: string } | undefined;
let tested = '';

export async function globalSetup(): Promise<void> {
  const given = process.env['TEST_POSTGRES_URL'];
  const start = async (starting: Promise<PostgresServer>) => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  const newest =
    given === undefined
      ? await start(startPostgres({ isTemplate: true, settings: SERVER_SETTINGS }))
      : undefined;
  if (newest !== undefined && existsSync(`${newest.folder}/native`))
    process.env[TEMPLATE_VARIABLE] = newest.folder;
  const oldest = oldestIsMissing === false ? await start(startOldestPostgres()) : undefined;
  const url = newest?.url ?? withoutDatabase(given as string);
  process.env[SERVER_VARIABLE] = url;
  migrated = await makeMigrated(url);
  process.env[MIGRATED_VARIABLE] = migrated.name;
  if (oldest !== undefined) process.env[OLDEST_SERVER_VARIABLE] = oldest.url;
  const source = newest?.source ?? 'given by TEST_POSTGRES_URL';
  const plans = oldest === undefined ? oldestIsMissing : `${await versionOf(oldest.url)} (${oldest.source})`;
  tested = `Stores tested: SQLite ${process.versions['sqlite']} (of Node), PostgreSQL ${await versionOf(url)} (${source}); plans and costs also: ${plans}.\n`;
}

const versionOf = async (url: string) => (await query(url, 'SHOW server_version'))[0].server_version;

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: GIVE_UP_MS });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

async function makeMigrated(url: string) {
  const name = `test_${process.pid}_migrated`;
  await query(url, `CREATE DATABASE ${name}`);
  await (await openStore(`${url}/${name}`, Date.now)).store.close();
  return { url, name };
}

function withoutDatabase(url: string): string {
  const parts = new URL(url);
  parts.pathname = '';
  parts.search = '';
  return parts.href.replace(/\/$/, '');
}

export async function globalTeardown(): Promise<void> {
  if (migrated !== undefined) await query(migrated.url, `DROP DATABASE ${migrated.name} WITH (FORCE)`);
  await Promise.all(servers.map((server) => server.stop()));
  process.stdout.write(tested);
}
