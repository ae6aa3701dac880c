import type pg from 'pg';
import { StoreRefused } from '../../../values/store-errors.ts';
import { TABLE_LIST } from '../../../values/tables.ts';
import { readColumn } from './driver/index.ts';

const missingOf = (rights: string) =>
  `SELECT missing FROM (${rights}) AS rights (missing, has) WHERE NOT has`;

type Use = 'serving' | 'importing' | 'recording';

function rightsTo(use: Use): string {
  const rights = TABLE_LIST.flatMap(({ name, [use]: onTable = [] }) =>
    onTable.map((right) => `('${right} on ${name}', ${hasRight(name, right)})`),
  );
  if (use !== 'serving')
    rights.push(`('exemption from row-level security', NOT row_security_active('transactions'))`);
  return `VALUES\n  ${rights.join(',\n  ')}`;
}

function hasRight(table: string, right: string): string {
  const [, onColumn, column] = /^(\w+) \((\w+)\)$/.exec(right) ?? [];
  return column === undefined
    ? `has_table_privilege('${table}', '${right}')`
    : `has_column_privilege('${table}', '${column}', '${onColumn}')`;
}

const RIGHTS_TO_MIGRATE = `
  SELECT 'CREATE on the schema', coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
  UNION ALL
  SELECT 'ownership of transactions', pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('transactions')`;

export const MISSING_RIGHTS_TO_IMPORT = missingOf(rightsTo('importing'));

export const missingRightsToMigrate = (client: pg.Client): Promise<string[]> =>
  readColumn(client, missingOf(RIGHTS_TO_MIGRATE));

export const missingRightsTo = (client: pg.Client, use: Use): Promise<string[]> =>
  readColumn(client, missingOf(rightsTo(use)));

export async function refuseRoleThatCannotRecord(client: pg.Client): Promise<void> {
  const missing = await missingRightsTo(client, 'recording');
  if (missing.length === 0) return;
  throw new StoreRefused(
    `this user may not record, and OPERATOR_PORT is set: it lacks ${missing.join(', ')}. ` +
      "Serve the operator's interface as the role that owns the tables. As this user, serve only lists, without OPERATOR_PORT.",
  );
}

export async function grantService(client: pg.Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  const [schema] = await readColumn(client, 'SELECT quote_ident(current_schema())');
  const onTables = TABLE_LIST.filter(({ serving }) => serving.length > 0).map(
    ({ name: table, serving }) => `GRANT ${serving.join(', ')} ON ${table} TO ${name};`,
  );
  await client.query(
    ['BEGIN;', `GRANT USAGE ON SCHEMA ${schema} TO ${name};`, ...onTables, 'COMMIT'].join('\n'),
  );
}
