import type pg from 'pg';
import { tablesWith } from '../../../values/tables.ts';
import { arrayQuery, LIST_SWITCHES, readColumn } from './driver/index.ts';
import { TABLE_WAIT_MS, whenTablesAreFree, withMigrationLock } from './migration-lock.ts';

export async function isCitus(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(arrayQuery(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`));
  return rows.length > 0;
}

/**
 * Distributes `transactions`, and then the other tables, which are colocated with it. If `transactions` has
 * rows and is not distributed, distributes no table, because copying the rows under a lock would stop the
 * service. In this case, the operator must distribute `transactions` (docs/citus.md).
 */
export async function setUpCitus(client: pg.Client): Promise<void> {
  if (!(await isCitus(client))) return;
  for (const table of await undistributedTables(client)) if (!(await distribute(client, table))) break;
  if ((await missingSettings(client)).length > 0)
    await withMigrationLock(client, { isTransaction: true }, () => setForWorkers(client));
}

/** `transactions` comes first, because the other tables are colocated with it. */
const DISTRIBUTED = tablesWith(({ onCitus }) => onCitus === 'distributed');
const LARGE: readonly string[] = tablesWith(({ isLarge }) => isLarge === true);

async function distribute(client: pg.Client, table: string): Promise<boolean> {
  const isFirst = table === 'transactions';
  const placed = `'${table}', 'account'${isFirst ? '' : `, colocate_with => 'transactions'`}`;
  const isSmall = async () =>
    !LARGE.includes(table) || (await client.query(`SELECT 1 FROM ${table} LIMIT 1`)).rowCount === 0;
  const isDone = await changeTables(client, async () => {
    if (await isDistributed(client, table)) return true;
    if (!(await isSmall())) return false;
    await client.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    if (!(await isSmall())) return false;
    await disableRowLevelSecurity(client, table);
    await client.query(`SELECT create_distributed_table(${placed})`);
    return true;
  });
  if (isDone || isFirst) return isDone;
  await changeTables(client, () => disableRowLevelSecurity(client, table));
  await withMigrationLock(client, { isTransaction: false }, async () => {
    if (!(await isDistributed(client, table)))
      await client.query(`SELECT create_distributed_table_concurrently(${placed})`);
  });
  return true;
}

/** On workers, the policies would hide all rows, because Citus does not send session settings to workers. */
const disableRowLevelSecurity = (client: pg.Client, table: string) =>
  client.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);

const changeTables = <Result>(client: pg.Client, change: () => Promise<Result>): Promise<Result> =>
  whenTablesAreFree(() =>
    withMigrationLock(client, { isTransaction: true }, async () => {
      await client.query(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`);
      return change();
    }),
  );

async function isDistributed(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query(
    arrayQuery('SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass($1)', [table]),
  );
  return rows.length > 0;
}

const undistributedTables = (client: pg.Client): Promise<string[]> =>
  readColumn(
    client,
    `SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS tables (name, ordinal)
     WHERE to_regclass(name) IS NOT NULL AND to_regclass(name) NOT IN (SELECT logicalrelid FROM pg_dist_partition)
     ORDER BY ordinal`,
    [DISTRIBUTED],
  );

/** Workers do not get the settings of a session, but Citus copies the settings of a role to them. */
async function setForWorkers(client: pg.Client): Promise<void> {
  const database = client.escapeIdentifier(client.database as string);
  for (const [name, value] of await missingSettings(client))
    await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = '${value}'`);
}

async function missingSettings(client: pg.Client): Promise<[name: string, value: string][]> {
  const { rows } = await client.query<[string, string]>(
    arrayQuery(
      `SELECT name, value FROM unnest($1::text[], $2::text[]) AS given (name, value)
       WHERE NOT EXISTS (
         SELECT FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase JOIN pg_roles ON pg_roles.oid = setrole
         WHERE datname = current_database() AND rolname = current_user AND name || '=' || value = ANY(setconfig)
       )`,
      [Object.keys(LIST_SWITCHES), Object.values(LIST_SWITCHES)],
    ),
  );
  return rows;
}
