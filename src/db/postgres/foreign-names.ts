import type pg from 'pg';
import { StoreRefused } from '../../values/store-errors.ts';
import type { Migration } from '../migrations.ts';
import { arrayQuery } from './driver/index.ts';

const TABLE = /\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/g;
const INDEX = /\bCREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+)/g;

/** The tables that SQL creates, each with a primary key, and the names of all indexes. */
export function namesMadeBy(sql: string): { tables: string[]; indexes: string[] } {
  const tables = Array.from(sql.matchAll(TABLE), ([, name]) => name as string);
  const indexes = Array.from(sql.matchAll(INDEX), ([, name]) => name as string);
  return { tables, indexes: [...tables.map((table) => `${table}_pkey`), ...indexes] };
}

/** Compared by name: a cast to regnamespace would parse the name as SQL, and fold it to lower case. */
const OWN_SCHEMA = '(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())';

/** Relations (an index with its table) and types of the schema that have one of the names. */
const FIND_NAMES = `SELECT found.relname::text, CASE found.relkind WHEN 'i' THEN 'index' WHEN 'v' THEN 'view'
    WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' ELSE 'table' END, indexed.relname::text
  FROM pg_catalog.pg_class AS found LEFT JOIN pg_catalog.pg_index ON indexrelid = found.oid
  LEFT JOIN pg_catalog.pg_class AS indexed ON indexed.oid = indrelid
  WHERE found.relnamespace = ${OWN_SCHEMA} AND found.relname = ANY($1::text[] || $2::text[])
UNION ALL SELECT typname::text, 'type', NULL FROM pg_catalog.pg_type
  WHERE typnamespace = ${OWN_SCHEMA} AND typrelid = 0 AND typname = ANY($1::text[])`;

/**
 * Throws: StoreRefused if a relation or type of another program has a name that `sql` creates. An index of `restartable` on
 * one of `ownTables` can exist: its migration was begun and not completed.
 */
export async function refuseForeignNames(
  client: pg.Client,
  sql: string,
  { restartable, ownTables }: { restartable: readonly Migration[]; ownTables: readonly string[] },
): Promise<void> {
  const { tables, indexes } = namesMadeBy(sql);
  const begun = restartable.flatMap((migration) => namesMadeBy(migration.sql).indexes);
  const { rows } = await client.query<[name: string, kind: string, table: string | null]>(
    arrayQuery(FIND_NAMES, [tables, indexes]),
  );
  for (const [name, kind, table] of rows) {
    if (!(begun.includes(name) && ownTables.includes(table ?? ''))) throw foreignName(kind, name);
  }
}

export const foreignName = (kind: string, name: string) =>
  new StoreRefused(
    `its ${kind} ${name} belongs to another program. Give the service its own database or, with ?options=-csearch_path=NAME, its own schema. Nothing was changed.`,
  );
