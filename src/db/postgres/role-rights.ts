import type pg from 'pg';
import { StoreRefused } from '../../values/store-errors.ts';
import { TABLE_LIST } from '../../values/tables.ts';
import { arrayQuery } from './driver/index.ts';

const missingOf = (rights: string) =>
  `SELECT missing FROM (${rights}) AS rights (missing, has) WHERE NOT has`;

/** The rights on tables for a use, and on rows of all accounts: each with whether the role of the session has it. */
function rightsTo(use: 'importing' | 'recording'): string {
  const onTables = TABLE_LIST.flatMap(({ name, [use]: rights = [] }) =>
    rights.map((right) => `('${right} on ${name}', has_table_privilege('${name}', '${right}'))`),
  );
  return `VALUES
  ${onTables.join(',\n  ')},
  ('exemption from row-level security', NOT row_security_active('transactions'))`;
}

/** The rights that migrating needs. */
const RIGHTS_TO_MIGRATE = `
  SELECT 'CREATE on the schema', coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
  UNION ALL
  SELECT 'ownership of transactions', pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('transactions')`;

export const MISSING_RIGHTS_TO_IMPORT = missingOf(rightsTo('importing'));

/** The rights that migrating needs and the role of the session lacks. */
export async function missingRightsToMigrate(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<[string]>(arrayQuery(missingOf(RIGHTS_TO_MIGRATE)));
  return rows.map(([right]) => right);
}

/** Throws: StoreRefused if the role of the session lacks a right that the operator's interface needs. */
export async function refuseRoleThatCannotRecord(client: pg.Client): Promise<void> {
  const { rows } = await client.query<[string]>(arrayQuery(missingOf(rightsTo('recording'))));
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
  const onTables = TABLE_LIST.filter(({ serving }) => serving.length > 0).map(
    ({ name: table, serving }) => `GRANT ${serving.join(', ')} ON ${table} TO ${name};`,
  );
  await client.query(
    ['BEGIN;', `GRANT USAGE ON SCHEMA ${rows[0]?.[0]} TO ${name};`, ...onTables, 'COMMIT'].join('\n'),
  );
}
