import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StoreRefused } from '../../core/store.ts';
import {
  type AppliedMigration,
  type Migration,
  pendingMigrations,
  readMigrations,
  type Unmigrated,
  unmigratedOf,
} from '../migrations.ts';
import { arrayQuery, explainFailure, LIST_SWITCHES, sqlState } from './driver/index.ts';

export const MIGRATIONS: readonly Migration[] = readMigrations(new URL('./migrations/', import.meta.url));

/** 'txns' in ASCII: the lock that only one migrating program holds. */
const LOCK = 0x74786e73;
const LOCK_WITHIN_MS = 60_000;
const LOCK_RETRY_MS = 100;

/**
 * A migration that begins so runs outside a transaction of the database: one statement, such as CREATE INDEX
 * CONCURRENTLY IF NOT EXISTS, which builds beside the running service and may be begun again.
 */
const CONCURRENTLY = '-- concurrently\n';

const SCHEMA_MIGRATIONS = 'schema_migrations';

async function rowsOf<Row extends unknown[]>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await client.query<Row>(arrayQuery(text, values))).rows;
}

async function appliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  // To read a table of the catalog takes notice of what others committed since this transaction began. to_regclass
  // alone may answer from before, where another program has migrated between BEGIN and the lock.
  const found = await rowsOf(
    client,
    'SELECT 1 FROM pg_catalog.pg_class WHERE relname = $1 AND pg_table_is_visible(oid)',
    [SCHEMA_MIGRATIONS],
  );
  if (found.length === 0) return [];
  try {
    const rows = await rowsOf<[number, string]>(
      client,
      'SELECT version, checksum FROM schema_migrations ORDER BY version',
    );
    return rows.map(([version, checksum]) => ({ version, checksum }));
  } catch (error) {
    // Other programs call a table so too, with other columns.
    if (sqlState(error) === '42703') throw foreign('table', SCHEMA_MIGRATIONS);
    throw error;
  }
}

const foreign = (kind: string, name: string) =>
  new StoreRefused(
    `its ${kind} ${name} is another program's. Name a database or, with ?options=-csearch_path=NAME, a schema of its own. Nothing was changed.`,
  );

const TABLE = /\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/g;
const INDEX = /\bCREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+)/g;

/** The tables that a text of SQL makes, each with a primary key, and the names of all indexes. */
export function namesMadeBy(sql: string): { tables: string[]; indexes: string[] } {
  const tables = Array.from(sql.matchAll(TABLE), ([, name]) => name as string);
  const indexes = Array.from(sql.matchAll(INDEX), ([, name]) => name as string);
  return { tables, indexes: [...tables.map((table) => `${table}_pkey`), ...indexes] };
}

/** By its name as it is: a cast to regnamespace would read it as SQL, in small letters. */
const OWN_SCHEMA = '(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())';

/** What has a name in the schema that tables are made in: relations with the table that they index, and types. */
const FIND_NAMES = `SELECT found.relname::text, CASE found.relkind WHEN 'i' THEN 'index' WHEN 'v' THEN 'view'
    WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' ELSE 'table' END, indexed.relname::text
  FROM pg_catalog.pg_class AS found LEFT JOIN pg_catalog.pg_index ON indexrelid = found.oid
  LEFT JOIN pg_catalog.pg_class AS indexed ON indexed.oid = indrelid
  WHERE found.relnamespace = ${OWN_SCHEMA} AND found.relname = ANY($1::text[] || $2::text[])
UNION ALL SELECT typname::text, 'type', NULL FROM pg_catalog.pg_type
  WHERE typnamespace = ${OWN_SCHEMA} AND typrelid = 0 AND typname = ANY($1::text[])`;

/** Throws: StoreRefused where something of another program has a name that one of the migrations needs. */
async function refuseForeignNames(
  client: pg.Client,
  pending: readonly Migration[],
  known: readonly Migration[],
): Promise<void> {
  // Made with the first migration, by itself.
  const making = pending.length === known.length ? [CREATE_SCHEMA_MIGRATIONS] : [];
  const made = namesMadeBy([...making, ...pending.map(({ sql }) => sql)].join('\n'));
  // An index that was begun beside the running service and not completed may be there already, on a table of ours.
  const begun = pending.filter(({ sql }) => sql.startsWith(CONCURRENTLY)).map(({ sql }) => namesMadeBy(sql));
  const ours = known.flatMap(({ sql }) => namesMadeBy(sql).tables);
  const found = await rowsOf<[name: string, kind: string, table: string | null]>(client, FIND_NAMES, [
    made.tables,
    made.indexes,
  ]);
  for (const [name, kind, table] of found) {
    const isBegun = begun.some(({ indexes }) => indexes.includes(name)) && ours.includes(table ?? '');
    if (!isBegun) throw foreign(kind, name);
  }
}

/**
 * What a database's schema lacks, or undefined where it is up to date. Changes nothing.
 *
 * Throws: StoreRefused where the schema is newer than the program, or was made by other texts.
 */
export async function unmigrated(client: pg.Client): Promise<Unmigrated | undefined> {
  return unmigratedOf(MIGRATIONS, await appliedMigrations(client));
}

/**
 * Brings a database's schema up to date, and returns what was applied.
 *
 * One program at a time does it, so several may start at once; a database that is up to date is only read.
 */
export async function migrate(
  client: pg.Client,
  nowMs: number,
  known: readonly Migration[] = MIGRATIONS,
): Promise<Migration[]> {
  const applied: Migration[] = [];
  for (;;) {
    const [next] = pendingMigrations(known, await appliedMigrations(client));
    if (next === undefined) break;
    try {
      if (await applyUnderLock(client, next, nowMs, known)) applied.push(next);
    } catch (error) {
      throw error instanceof StoreRefused ? error : failed(next, error);
    }
  }
  await distribute(client);
  await setForWorkers(client);
  return applied;
}

function failed({ version, name }: Migration, error: unknown): StoreRefused {
  const before = version === 1 ? 'None is applied.' : `Those up to ${version - 1} are applied, and stay.`;
  return new StoreRefused(
    `its migration ${version} ${name} failed: ${explainFailure(error)} ${before} Run "transactions migrate" again when the cause is mended.`,
    { cause: error },
  );
}

/** Applies one migration, unless another program did so meanwhile. */
async function applyUnderLock(
  client: pg.Client,
  migration: Migration,
  nowMs: number,
  known: readonly Migration[],
): Promise<boolean> {
  const concurrently = migration.sql.startsWith(CONCURRENTLY);
  await lock(client, concurrently);
  try {
    const pending = pendingMigrations(known, await appliedMigrations(client));
    const applies = pending[0]?.version === migration.version;
    if (applies) {
      await refuseForeignNames(client, pending, known);
      await client.query(CREATE_SCHEMA_MIGRATIONS);
      await client.query(migration.sql);
      await client.query(
        'INSERT INTO schema_migrations (version, name, checksum, applied_at_ms) VALUES ($1, $2, $3, $4)',
        [migration.version, migration.name, migration.checksum, nowMs],
      );
    }
    if (!concurrently) await client.query('COMMIT');
    return applies;
  } catch (error) {
    if (!concurrently) await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    if (concurrently) await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
  }
}

const CREATE_SCHEMA_MIGRATIONS = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at_ms bigint NOT NULL
)`;

/** Tries again and again rather than waits: an index that is built concurrently waits for all who wait. */
async function lock(client: pg.Client, forSession: boolean): Promise<void> {
  const deadline = performance.now() + LOCK_WITHIN_MS;
  for (;;) {
    if (!forSession) await client.query('BEGIN');
    const tried = forSession ? 'pg_try_advisory_lock' : 'pg_try_advisory_xact_lock';
    const [row] = await rowsOf<[number]>(client, `SELECT ${tried}($1)::int`, [LOCK]);
    if (row?.[0] === 1) return;
    if (!forSession) await client.query('ROLLBACK');
    if (performance.now() > deadline) {
      throw new StoreRefused(
        'another program has been migrating it for a minute. Try again when that has finished.',
      );
    }
    await delay(LOCK_RETRY_MS);
  }
}

/**
 * Spreads the tables over the machines of a Citus cluster, where the database is one: transactions by account,
 * so that a list reads one shard, and the keys on every machine, because they are found without their account.
 */
async function distribute(client: pg.Client): Promise<void> {
  if ((await undistributed(client)).length === 0) return;
  await lock(client, false);
  try {
    for (const table of await undistributed(client)) {
      if (table === 'transactions') {
        // The policy would be asked on a worker, which does not know what the coordinator's session has set.
        await client.query('ALTER TABLE transactions DISABLE ROW LEVEL SECURITY');
        await client.query(`SELECT create_distributed_table('transactions', 'account')`);
      } else if (table === 'idempotency_keys') {
        await client.query(
          `SELECT create_distributed_table('idempotency_keys', 'account', colocate_with => 'transactions')`,
        );
      } else {
        await client.query(`SELECT create_reference_table('${table}')`);
      }
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * The workers of a Citus cluster do not get the settings of the coordinator's session, but those of its role: Citus
 * repeats them there, and on workers that join later. They hold in this database alone.
 */
async function setForWorkers(client: pg.Client): Promise<void> {
  if (!(await isCitus(client)) || (await unsetForWorkers(client)).length === 0) return;
  const database = client.escapeIdentifier(client.database as string);
  await lock(client, false);
  try {
    for (const [name, value] of await unsetForWorkers(client))
      await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = '${value}'`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

function unsetForWorkers(client: pg.Client): Promise<[name: string, value: string][]> {
  return rowsOf(
    client,
    `SELECT name, value FROM unnest($1::text[], $2::text[]) AS given (name, value)
     WHERE NOT EXISTS (
       SELECT FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase JOIN pg_roles ON pg_roles.oid = setrole
       WHERE datname = current_database() AND rolname = current_user AND name || '=' || value = ANY(setconfig)
     )`,
    [Object.keys(LIST_SWITCHES), Object.values(LIST_SWITCHES)],
  );
}

/** Whether the database is spread over machines by Citus. */
export async function isCitus(client: pg.Client): Promise<boolean> {
  const [citus] = await rowsOf(client, `SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  return citus !== undefined;
}

async function undistributed(client: pg.Client): Promise<string[]> {
  if (!(await isCitus(client))) return [];
  const tables = await rowsOf<[string]>(
    client,
    `SELECT name FROM unnest(ARRAY['transactions', 'idempotency_keys', 'api_keys']) AS name
     WHERE to_regclass(name) NOT IN (SELECT logicalrelid FROM pg_dist_partition)`,
  );
  return tables.map(([name]) => name);
}

/** The least rights that a role needs to serve: to read, to note when keys are used, to keep the cursor secret. */
export async function grantService(client: pg.Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  const [schema] = await rowsOf<[string]>(client, 'SELECT quote_ident(current_schema())');
  await client.query(`BEGIN;
GRANT USAGE ON SCHEMA ${schema?.[0]} TO ${name};
GRANT SELECT ON transactions, api_keys, schema_migrations TO ${name};
GRANT UPDATE (last_used_at_ms) ON api_keys TO ${name};
GRANT SELECT, INSERT ON cursor_secret TO ${name};
COMMIT`);
}
