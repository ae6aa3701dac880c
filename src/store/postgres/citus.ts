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

/**
 * Transactions are distributed by account, so a list reads one shard, and with them all that a recording writes. API keys are
 * on every machine, because they are found without their account.
 */
async function distribute(client: pg.Client): Promise<void> {
  for (const table of await undistributedTables(client)) {
    if (table === 'transactions') {
      // A worker would evaluate the policy, and does not know the settings of the coordinator's session.
      await client.query('ALTER TABLE transactions DISABLE ROW LEVEL SECURITY');
      await client.query(`SELECT create_distributed_table('transactions', 'account')`);
    } else if (table === 'idempotency_keys' || table === 'accounts') {
      await client.query(
        `SELECT create_distributed_table('${table}', 'account', colocate_with => 'transactions')`,
      );
    } else {
      await client.query(`SELECT create_reference_table('${table}')`);
    }
  }
}

async function undistributedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<[string]>(
    arrayQuery(`SELECT name FROM unnest(ARRAY['transactions', 'idempotency_keys', 'accounts', 'api_keys']) AS name
     WHERE to_regclass(name) IS NOT NULL AND to_regclass(name) NOT IN (SELECT logicalrelid FROM pg_dist_partition)`),
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
