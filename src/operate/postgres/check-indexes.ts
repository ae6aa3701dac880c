import type pg from 'pg';
import { sentence } from '../../../values/sentence.ts';
import { arrayQuery, explainError, sqlState } from '../../db/postgres/driver/index.ts';
import { MIGRATIONS } from '../../db/postgres/migrate.ts';
import { type Disagreement, differingIndex } from '../disagreement.ts';
import type { StorageCheck } from '../stored-rows.ts';
import { expectedSchema } from './expected-schema.ts';

/** The check of the schema reports invalid indexes, so they are left out here. */
const INDEXES = `SELECT indexes.relname::text FROM pg_catalog.pg_index
JOIN pg_catalog.pg_class AS indexed ON indexed.oid = indrelid
JOIN pg_catalog.pg_class AS indexes ON indexes.oid = indexrelid
JOIN pg_catalog.pg_am ON pg_am.oid = indexes.relam
WHERE indexed.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())
  AND indexed.relname = ANY($1) AND amname = 'btree' AND indisvalid AND indisready ORDER BY 1`;

const EXTENSION = `SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'amcheck'`;

/**
 * Finds the `bt_index_check` with the most parameters. Only the variant with three parameters also finds
 * duplicates in unique indexes, and older versions of amcheck do not have this variant.
 */
const FUNCTION = `SELECT pronamespace::regnamespace::text, max(pronargs)::int
FROM pg_catalog.pg_proc JOIN pg_catalog.pg_depend ON pg_depend.objid = pg_proc.oid AND deptype = 'e'
JOIN pg_catalog.pg_extension ON pg_extension.oid = refobjid
WHERE extname = 'amcheck' AND proname = 'bt_index_check' GROUP BY 1`;

/** The server does not have the extension, or the role may not create or run it. */
const NOT_ALLOWED: ReadonlySet<string | undefined> = new Set(['58P01', '0A000', '42501', '42883']);

const ON_CITUS =
  'the tables are on the workers. Run "pg_amcheck --heapallindexed" of PostgreSQL on each of their databases.';

export async function checkIndexes(
  { client, isDistributed }: { client: pg.Client; isDistributed: boolean },
  onProgress: (what: string) => void,
): Promise<StorageCheck> {
  if (isDistributed) return { disagreements: [], indexes: 0, notChecked: ON_CITUS };
  const disagreements: Disagreement[] = [];
  const tables = [...expectedSchema(MIGRATIONS).tables.keys(), 'schema_migrations'];
  const names = (await client.query<[string]>(arrayQuery(INDEXES, [`{${tables}}`]))).rows.map(
    ([name]) => name,
  );
  for (const [at, name] of names.entries()) {
    onProgress(`Comparing index ${name} with its table (${at + 1} of ${names.length})`);
    try {
      await inRolledBack(client, () => checkIndex(client, name));
    } catch (error) {
      if (isDamagedOnServer(error))
        disagreements.push(differingIndex(`index ${name}`, reportOf(error as pg.DatabaseError)));
      else if (NOT_ALLOWED.has(sqlState(error)))
        return { disagreements, indexes: at, notChecked: adviceAfter(error as Error) };
      else throw explainError(error);
    }
  }
  return { disagreements, indexes: names.length, notChecked: null };
}

async function checkIndex(client: pg.Client, name: string): Promise<void> {
  if ((await client.query(arrayQuery(EXTENSION))).rows.length === 0)
    await client.query('CREATE EXTENSION amcheck');
  const [found] = (await client.query<[string, number]>(arrayQuery(FUNCTION))).rows;
  const [schema, parameters] = found ?? ['public', 2];
  const all = Array.from({ length: parameters - 1 }, () => 'true');
  await client.query(`SELECT ${schema}.bt_index_check('${name}'::regclass, ${all.join(', ')})`);
}

/** A large index takes minutes, so there are no time limits. */
export async function inRolledBack<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

const adviceAfter = (error: Error) =>
  `the extension amcheck can't be used: ${sentence(error.message)} As a superuser, run CREATE EXTENSION amcheck, and grant EXECUTE on its functions bt_index_check to this role.`;

const reportOf = ({ message, detail }: pg.DatabaseError): string =>
  detail === undefined ? message : `${message} (${detail.replaceAll(/\s+/g, ' ')})`;

export const isDamagedOnServer = (error: unknown) => ['XX001', 'XX002'].includes(sqlState(error) ?? '');
