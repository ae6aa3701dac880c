import type pg from 'pg';
import { arrayQuery, LIST_SWITCHES } from './driver/index.ts';
import { withMigrationLock } from './migration-lock.ts';

/** Whether the database is distributed over machines by Citus. */
export async function isCitus(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(arrayQuery(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`));
  return rows.length > 0;
}

/** On Citus, distributes the tables and sets the plan settings of the workers, if that is not done yet. */
export async function setUpCitus(client: pg.Client): Promise<void> {
  if (!(await isCitus(client))) return;
  if ((await undistributedTables(client)).length > 0)
    await withMigrationLock(client, { isTransaction: true }, () => distribute(client));
  if ((await missingSettings(client)).length > 0)
    await withMigrationLock(client, { isTransaction: true }, () => setForWorkers(client));
}

/** The tables with rows of one account. `transactions` is the first: the others are stored beside it. */
const TABLES_OF_ACCOUNTS = [
  'transactions',
  'idempotency_keys',
  'accounts',
  'daily_totals',
  'monthly_totals',
  'folded',
  'exports',
  'webhook_endpoints',
  'webhook_failures',
];
/** API keys are on every machine, because they are found without their account. All other tables are on the coordinator alone. */
const REFERENCE_TABLES = ['api_keys'];

/** Transactions are distributed by account, so a list reads one shard, and with them all that a recording writes. */
async function distribute(client: pg.Client): Promise<void> {
  for (const table of await undistributedTables(client)) {
    if (REFERENCE_TABLES.includes(table)) {
      await client.query(`SELECT create_reference_table('${table}')`);
      continue;
    }
    // A worker would evaluate the policy, and does not know the settings of the coordinator's session.
    await client.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
    const beside = table === 'transactions' ? '' : `, colocate_with => 'transactions'`;
    await client.query(`SELECT create_distributed_table('${table}', 'account'${beside})`);
  }
}

async function undistributedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<[string]>(
    arrayQuery(
      `SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS tables (name, ordinal)
       WHERE to_regclass(name) IS NOT NULL AND to_regclass(name) NOT IN (SELECT logicalrelid FROM pg_dist_partition)
       ORDER BY ordinal`,
      [[...TABLES_OF_ACCOUNTS, ...REFERENCE_TABLES]],
    ),
  );
  return rows.map(([name]) => name);
}

/**
 * Workers do not get the settings of the coordinator's session, but those of its role, which Citus repeats on each worker.
 * The settings apply to this database only.
 */
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
