import type pg from 'pg';
import { StoreRefused } from '../../core/store.ts';
import { arrayQuery } from './driver/index.ts';

/** The rights that recording and making keys need, and whether the role of the session has each. */
const MISSING_RIGHTS = `SELECT missing FROM (VALUES
  ('INSERT on transactions', has_table_privilege('transactions', 'INSERT')),
  ('UPDATE on transactions', has_table_privilege('transactions', 'UPDATE')),
  ('SELECT and INSERT on idempotency_keys', has_table_privilege('idempotency_keys', 'SELECT')
    AND has_table_privilege('idempotency_keys', 'INSERT')),
  ('INSERT and UPDATE on api_keys', has_table_privilege('api_keys', 'INSERT')
    AND has_table_privilege('api_keys', 'UPDATE')),
  ('every account past row-level security', NOT row_security_active('transactions'))
) AS rights (missing, has) WHERE NOT has`;

/**
 * Throws: StoreRefused where the role of a session may not do what the operator's interface does.
 */
export async function refuseRoleThatMayNotRecord(client: pg.Client): Promise<void> {
  const { rows } = await client.query<[string]>(arrayQuery(MISSING_RIGHTS));
  if (rows.length === 0) return;
  throw new StoreRefused(
    `this user may not record, and OPERATOR_PORT is set: it lacks ${rows.map(([right]) => right).join(', ')}. ` +
      "Serve the operator's interface as the role that owns the tables, and lists as this one without OPERATOR_PORT.",
  );
}
