import type pg from 'pg';
import { StoreRefused } from '../../values/store-errors.ts';
import { arrayQuery } from './driver/index.ts';

const missingOf = (rights: string) =>
  `SELECT missing FROM (${rights}) AS rights (missing, has) WHERE NOT has`;

const WRITE_TRANSACTIONS = `
  ('INSERT on transactions', has_table_privilege('transactions', 'INSERT')),
  ('UPDATE on transactions', has_table_privilege('transactions', 'UPDATE')),
  ('SELECT, INSERT and UPDATE on accounts', has_table_privilege('accounts', 'SELECT')
    AND has_table_privilege('accounts', 'INSERT') AND has_table_privilege('accounts', 'UPDATE')),
  ('INSERT on recorded_statuses', has_table_privilege('recorded_statuses', 'INSERT'))`;
const EXEMPTION = `
  ('exemption from row-level security', NOT row_security_active('transactions'))`;

/** The rights that an import needs, each with whether the role of the session has it. */
const RIGHTS_TO_IMPORT = `VALUES ${WRITE_TRANSACTIONS}, ${EXEMPTION}`;

/** The rights that the operator's interface needs. It also makes API keys. */
const RIGHTS_TO_RECORD = `VALUES ${WRITE_TRANSACTIONS},
  ('SELECT and INSERT on idempotency_keys', has_table_privilege('idempotency_keys', 'SELECT')
    AND has_table_privilege('idempotency_keys', 'INSERT')),
  ('INSERT and UPDATE on api_keys', has_table_privilege('api_keys', 'INSERT')
    AND has_table_privilege('api_keys', 'UPDATE')), ${EXEMPTION}`;

/** The rights that migrating needs. */
const RIGHTS_TO_MIGRATE = `
  SELECT 'CREATE on the schema', coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
  UNION ALL
  SELECT 'ownership of transactions', pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('transactions')`;

export const MISSING_RIGHTS_TO_IMPORT = missingOf(RIGHTS_TO_IMPORT);

/** The rights that migrating needs and the role of the session lacks. */
export async function missingRightsToMigrate(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<[string]>(arrayQuery(missingOf(RIGHTS_TO_MIGRATE)));
  return rows.map(([right]) => right);
}

/** Throws: StoreRefused if the role of the session lacks a right that the operator's interface needs. */
export async function refuseRoleThatCannotRecord(client: pg.Client): Promise<void> {
  const { rows } = await client.query<[string]>(arrayQuery(missingOf(RIGHTS_TO_RECORD)));
  if (rows.length === 0) return;
  throw new StoreRefused(
    `this user may not record, and OPERATOR_PORT is set: it lacks ${rows.map(([right]) => right).join(', ')}. ` +
      "Serve the operator's interface as the role that owns the tables, and lists as this one without OPERATOR_PORT.",
  );
}

/** Grants a role the least rights that the service needs: to read, and to store uses of keys, the cursor secret, exports and webhooks. */
export async function grantService(client: pg.Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  const { rows } = await client.query<[string]>(arrayQuery('SELECT quote_ident(current_schema())'));
  await client.query(`BEGIN;
GRANT USAGE ON SCHEMA ${rows[0]?.[0]} TO ${name};
GRANT SELECT ON transactions, recorded_statuses, accounts, daily_totals, monthly_totals, folded, api_keys, copy_state, schema_migrations TO ${name};
GRANT SELECT, INSERT, UPDATE, DELETE ON exports, webhook_endpoints, webhook_failures, webhook_instances, webhook_leases TO ${name};
GRANT UPDATE (last_used_at_ms) ON api_keys TO ${name};
GRANT SELECT, INSERT ON cursor_secret TO ${name};
COMMIT`);
}
