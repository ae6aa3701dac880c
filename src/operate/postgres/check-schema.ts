import type { Table } from '../../../values/tables.ts';
import { type AppliedMigration, alteredMigrations } from '../../db/migrations.ts';
import type { Value } from '../../db/postgres/driver/index.ts';
import { MIGRATIONS } from '../../db/postgres/migrate.ts';
import { alteredMigration, type Disagreement, schemaDisagreement } from '../disagreement.ts';
import type { SchemaCheck } from '../stored-rows.ts';
import type { ValueCheck } from '../value-checks.ts';
import { type ExpectedIndex, expectedSchema } from './expected-schema.ts';

const OWN_SCHEMA = '(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())';

const COLUMNS = `SELECT relname::text, attname::text, format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
FROM pg_catalog.pg_class JOIN pg_catalog.pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = ${OWN_SCHEMA} AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped`;

/** PostgreSQL 18 lists NOT NULL as a constraint ('n'). It is left out here, because COLUMNS reads it. */
const CONSTRAINTS = `SELECT relname::text, conname::text, convalidated::int
FROM pg_catalog.pg_constraint JOIN pg_catalog.pg_class ON pg_class.oid = conrelid
WHERE relnamespace = ${OWN_SCHEMA} AND contype <> 'n'`;

const INDEXES = `SELECT indexed.relname::text, indexes.relname::text, (indisvalid AND indisready AND indislive)::int, indisunique::int, (indpred IS NOT NULL)::int,
  array_to_string(ARRAY(SELECT pg_get_indexdef(indexrelid, place, false) FROM generate_series(1, indnkeyatts) AS place), ',')
FROM pg_catalog.pg_index JOIN pg_catalog.pg_class AS indexed ON indexed.oid = indrelid
JOIN pg_catalog.pg_class AS indexes ON indexes.oid = indexrelid WHERE indexed.relnamespace = ${OWN_SCHEMA}`;

const POLICIES = `SELECT relname::text, polname::text FROM pg_catalog.pg_policy JOIN pg_catalog.pg_class ON pg_class.oid = polrelid
WHERE relnamespace = ${OWN_SCHEMA}`;

const SECURED = `SELECT relname::text FROM pg_catalog.pg_class WHERE relnamespace = ${OWN_SCHEMA} AND relrowsecurity`;

const ROW_ORDER = 'transactions_by_time';

type ReadCatalog = <Row extends Value[]>(sql: string) => Promise<Row[]>;

export async function checkSchema(
  read: ReadCatalog,
  applied: readonly AppliedMigration[],
  { isDistributed }: { isDistributed: boolean },
): Promise<SchemaCheck> {
  const expected = expectedSchema(MIGRATIONS);
  const disagreements = alteredMigrations(MIGRATIONS, applied).map(alteredMigration);
  const report = (...fault: Parameters<typeof schemaDisagreement>) =>
    disagreements.push(schemaDisagreement(...fault));
  const found = await readTables(read);
  const tables = new Set<string>();
  const checks = new Map<Table, ValueCheck[]>();
  let compared = applied.length;
  for (const [name, table] of expected.tables) {
    const { columns, constraints, policies, hasRowLevelSecurity } = table;
    compared += 1 + columns.size + constraints.size + policies.size;
    const known = [...columns.keys()].filter((column) => found.columns.has(`${name}.${column}`));
    if (known.length === 0) {
      report(`table ${name}`, 'no such table', 'the table');
      continue;
    }
    if (known.length === columns.size) {
      tables.add(name);
      if (table.checks.length > 0) checks.set(name as Table, table.checks);
    }
    for (const [column, type] of columns) {
      const actual = found.columns.get(`${name}.${column}`) ?? 'no such column';
      if (actual !== type) report(`column ${name}.${column}`, actual, type);
    }
    for (const constraint of constraints) {
      const isValid = found.constraints.get(`${name}.${constraint}`);
      const actual = isValid === undefined ? 'no such constraint' : 'a constraint that is not validated';
      if (isValid !== 1) report(`constraint ${constraint} of ${name}`, actual, 'the constraint, validated');
    }
    for (const policy of policies)
      if (!found.policies.has(`${name}.${policy}`))
        report(`policy ${policy} of ${name}`, 'no such policy', 'the policy');
    // Row-level security is off on Citus, because a worker does not know the session's account.
    if (hasRowLevelSecurity && !isDistributed && !found.secured.has(name))
      report(`table ${name}`, 'no row-level security', 'row-level security');
  }
  let rowOrder: string | null = null;
  const indexes = new Map((await read<IndexRow>(INDEXES)).map((row) => [row[1], row]));
  for (const [name, index] of expected.indexes) {
    const faults = compareIndex(name, index, indexes.get(name));
    if (name === ROW_ORDER && (faults.length === 0 || indexes.get(name)?.[2] === 1))
      rowOrder = `index ${name}`;
    disagreements.push(...faults);
    compared++;
  }
  if (!tables.has('transactions')) rowOrder = null;
  return { disagreements, compared, tables, checks, rowOrder };
}

async function readTables(read: ReadCatalog) {
  const columns = await read<[string, string, string]>(COLUMNS);
  const constraints = await read<[string, string, number]>(CONSTRAINTS);
  const policies = await read<[string, string]>(POLICIES);
  const secured = await read<[string]>(SECURED);
  return {
    columns: new Map(columns.map(([table, column, type]) => [`${table}.${column}`, type])),
    constraints: new Map(constraints.map(([table, name, isValid]) => [`${table}.${name}`, isValid])),
    policies: new Set(policies.map(([table, name]) => `${table}.${name}`)),
    secured: new Set(secured.map(([table]) => table)),
  };
}

type IndexRow = [
  table: string,
  name: string,
  isValid: number,
  isUnique: number,
  isPartial: number,
  columns: string,
];

function compareIndex(
  name: string,
  { table, isUnique, columns, isPartial }: ExpectedIndex,
  row: IndexRow | undefined,
): Disagreement[] {
  const place = `index ${name}`;
  if (row === undefined) return [schemaDisagreement(place, 'no such index', `the index of ${table}`)];
  const [foundTable, , isValid, foundUnique, foundPartial, foundColumns] = row;
  if (isValid === 0)
    return [schemaDisagreement(place, 'an invalid index', 'a valid index: drop it, and create it again')];
  const shown = (of: string, unique: boolean, partial: boolean, list: string) =>
    `${unique ? 'a unique' : 'an'} index of ${of} (${list})${partial ? ' with a condition' : ''}`;
  const actual = shown(foundTable, foundUnique === 1, foundPartial === 1, foundColumns);
  const right = shown(table, isUnique, isPartial, columns.join(','));
  return actual === right ? [] : [schemaDisagreement(place, actual, right)];
}
