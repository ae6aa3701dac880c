import type pg from 'pg';
import { StoreRefused } from '../../../values/store-errors.ts';
import {
  type AppliedMigration,
  type Migration,
  pendingMigrations,
  readMigrations,
  type Unmigrated,
  unmigratedOf,
} from '../migrations.ts';
import { setUpCitus } from './citus.ts';
import { arrayQuery, explainPostgresError, readColumn, sqlState } from './driver/index.ts';
import { TABLE_WAIT_MS, whenTablesAreFree, withMigrationLock } from './migration-lock.ts';

export const MIGRATIONS: readonly Migration[] = readMigrations(new URL('./migrations/', import.meta.url));

/** A migration with this first line runs outside a transaction. It is one statement that can be run twice. */
const CONCURRENTLY = '-- concurrently\n';

const isConcurrent = ({ sql }: Migration) => sql.startsWith(CONCURRENTLY);

const SCHEMA_MIGRATIONS = 'schema_migrations';

const CREATE_SCHEMA_MIGRATIONS = `CREATE TABLE IF NOT EXISTS ${SCHEMA_MIGRATIONS} (
  version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at_ms bigint NOT NULL
)`;

export async function appliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  // to_regclass could miss a table that another program has just created.
  const { rowCount } = await client.query(
    'SELECT 1 FROM pg_catalog.pg_class WHERE relname = $1 AND pg_table_is_visible(oid)',
    [SCHEMA_MIGRATIONS],
  );
  if (rowCount === 0) return [];
  try {
    const { rows } = await client.query<[number, string]>(
      arrayQuery(`SELECT version, checksum FROM ${SCHEMA_MIGRATIONS} ORDER BY version`),
    );
    return rows.map(([version, checksum]) => ({ version, checksum }));
  } catch (error) {
    // The table has different columns, so it belongs to another program.
    if (sqlState(error) === '42703') throw foreignName('table', SCHEMA_MIGRATIONS);
    throw error;
  }
}

export async function unmigrated(client: pg.Client): Promise<Unmigrated | undefined> {
  return unmigratedOf(MIGRATIONS, await appliedMigrations(client));
}

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
      if (await whenTablesAreFree(() => applyUnderLock(client, next, nowMs, known))) applied.push(next);
    } catch (error) {
      throw error instanceof StoreRefused ? error : failed(next, error);
    }
  }
  await setUpCitus(client);
  return applied;
}

function failed({ version, name }: Migration, error: unknown): StoreRefused {
  const before =
    version === 1 ? 'No migration is applied.' : `Migrations up to ${version - 1} are applied, and stay.`;
  return new StoreRefused(
    `its migration ${version} ${name} failed: ${explainPostgresError(error)} ${before} Remove the cause, then run "transactions migrate" again.`,
    { cause: error },
  );
}

async function applyUnderLock(
  client: pg.Client,
  migration: Migration,
  nowMs: number,
  known: readonly Migration[],
): Promise<boolean> {
  const isTransaction = !isConcurrent(migration);
  return withMigrationLock(client, { isTransaction }, async (checkLock) => {
    const pending = pendingMigrations(known, await appliedMigrations(client));
    if (pending[0]?.version !== migration.version) return false;
    await refuseForeignNames(client, sqlToRun(pending, known), {
      restartable: pending.filter(isConcurrent),
      ownTables: known.flatMap(({ sql }) => namesMadeBy(sql).tables),
    });
    await client.query(CREATE_SCHEMA_MIGRATIONS);
    if (isConcurrent(migration)) await dropUnfinishedIndexes(client, migration);
    if (isTransaction) await client.query(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`);
    for (const statement of statementsOf(migration.sql)) await client.query(statement);
    // Throws if the lock was lost: another program may have dropped the index of this migration.
    await checkLock();
    await client.query(
      `INSERT INTO ${SCHEMA_MIGRATIONS} (version, name, checksum, applied_at_ms) VALUES ($1, $2, $3, $4)`,
      [migration.version, migration.name, migration.checksum, nowMs],
    );
    return true;
  });
}

/** Splits the text, because Citus would send all of it to its workers if one statement is ALTER TABLE. */
function statementsOf(sql: string): string[] {
  const statements = sql.match(/(?:\$\$.*?\$\$|(?!;\n|;$).)+/gs) ?? [];
  return statements.filter((statement) => statement.trim() !== '');
}

/** Drops an invalid index that an interrupted concurrent build left. IF NOT EXISTS would keep it. */
async function dropUnfinishedIndexes(client: pg.Client, { sql }: Migration): Promise<void> {
  const unfinished = await readColumn(
    client,
    `SELECT quote_ident(relname) FROM pg_catalog.pg_index JOIN pg_catalog.pg_class ON pg_class.oid = indexrelid
     WHERE NOT indisvalid AND relname = ANY($1::text[]) AND pg_table_is_visible(indexrelid)`,
    [namesMadeBy(sql).indexes],
  );
  for (const index of unfinished) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
}

function sqlToRun(pending: readonly Migration[], known: readonly Migration[]): string {
  const first = pending.length === known.length ? [CREATE_SCHEMA_MIGRATIONS] : [];
  return [...first, ...pending.map(({ sql }) => sql)].join('\n');
}

const TABLE = /\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/g;
const INDEX = /\bCREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+)/g;

export function namesMadeBy(sql: string): { tables: string[]; indexes: string[] } {
  const tables = Array.from(sql.matchAll(TABLE), ([, name]) => name as string);
  const indexes = Array.from(sql.matchAll(INDEX), ([, name]) => name as string);
  return { tables, indexes: [...tables.map((table) => `${table}_pkey`), ...indexes] };
}

/** Finds the schema by name: a cast to regnamespace would parse the name as SQL and fold its case. */
const OWN_SCHEMA = '(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())';

const FIND_NAMES = `SELECT found.relname::text, CASE found.relkind WHEN 'i' THEN 'index' WHEN 'v' THEN 'view'
    WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' ELSE 'table' END, indexed.relname::text
  FROM pg_catalog.pg_class AS found LEFT JOIN pg_catalog.pg_index ON indexrelid = found.oid
  LEFT JOIN pg_catalog.pg_class AS indexed ON indexed.oid = indrelid
  WHERE found.relnamespace = ${OWN_SCHEMA} AND found.relname = ANY($1::text[] || $2::text[])
UNION ALL SELECT typname::text, 'type', NULL FROM pg_catalog.pg_type
  WHERE typnamespace = ${OWN_SCHEMA} AND typrelid = 0 AND typname = ANY($1::text[])`;

async function refuseForeignNames(
  client: pg.Client,
  sql: string,
  { restartable, ownTables }: { restartable: readonly Migration[]; ownTables: readonly string[] },
): Promise<void> {
  const { tables, indexes } = namesMadeBy(sql);
  // After an interruption, a migration runs again. The indexes that it has already made on tables of the
  // service do not belong to another program.
  const ownIndexes = restartable.flatMap((migration) => namesMadeBy(migration.sql).indexes);
  const { rows } = await client.query<[name: string, kind: string, table: string | null]>(
    arrayQuery(FIND_NAMES, [tables, indexes]),
  );
  for (const [name, kind, table] of rows) {
    if (!(ownIndexes.includes(name) && ownTables.includes(table ?? ''))) throw foreignName(kind, name);
  }
}

const foreignName = (kind: string, name: string) =>
  new StoreRefused(
    `its ${kind} ${name} belongs to another program. Give the service its own database or, with ?options=-csearch_path=NAME, its own schema. Nothing was changed.`,
  );
