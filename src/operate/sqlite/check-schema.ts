import { DatabaseSync } from 'node:sqlite';
import type { Table } from '../../../values/tables.ts';
import { alteredMigrations } from '../../db/migrations.ts';
import { appliedMigrations, MIGRATIONS, migrate } from '../../db/sqlite/migrate.ts';
import { IN_MEMORY } from '../../db/sqlite/open-database.ts';
import { alteredMigration, schemaDisagreement } from '../disagreement.ts';
import type { SchemaCheck } from '../stored-rows.ts';
import { checksOf, type ValueCheck } from '../value-checks.ts';

interface SchemaObject {
  type: 'table' | 'index';
  name: string;
  sql: string;
}

const SCHEMA = `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL
  AND name NOT LIKE 'sqlite_%' ORDER BY name`;

const readSchema = (db: DatabaseSync) => db.prepare(SCHEMA).all() as unknown as SchemaObject[];

function readColumns(db: DatabaseSync, table: string): Map<string, string> {
  const rows = db.prepare('SELECT name, type, "notnull" FROM pragma_table_xinfo(?)').all(table);
  return new Map(
    rows.map(({ name, type, notnull }) => [String(name), `${type}${notnull === 1 ? ' NOT NULL' : ''}`]),
  );
}

/** Ignores spaces, because versions of SQLite place them differently when they alter a table. */
const withoutSpaces = (sql: string) => sql.replaceAll(/--.*$|\s+/gm, '');

export function checkSchema(db: DatabaseSync): SchemaCheck {
  using model = new DatabaseSync(IN_MEMORY);
  migrate(model, 0, { waitMs: 0 });
  const applied = appliedMigrations(db);
  const disagreements = alteredMigrations(MIGRATIONS, applied).map(alteredMigration);
  const report = (...fault: Parameters<typeof schemaDisagreement>) =>
    disagreements.push(schemaDisagreement(...fault));
  const found = new Map(readSchema(db).map((object) => [object.name, object]));
  const tables = new Set<string>();
  const checks = new Map<Table, ValueCheck[]>();
  let compared = applied.length;
  for (const { type, name, sql } of readSchema(model)) {
    const place = `${type} ${name}`;
    const actual = found.get(name);
    compared++;
    if (actual?.type !== type) {
      report(place, `no such ${type}`, `the ${type} that the migrations make`);
      continue;
    }
    const before = disagreements.length;
    if (type === 'table') {
      const [columns, expected] = [readColumns(db, name), readColumns(model, name)];
      compared += expected.size;
      for (const [column, right] of expected)
        if (columns.get(column) !== right)
          report(`column ${name}.${column}`, columns.get(column) ?? 'no such column', right);
      if ([...expected.keys()].every((column) => columns.has(column))) {
        tables.add(name);
        // The CHECKs of `daily_totals` are left out, because totals are compared with the transactions.
        if (name !== 'daily_totals' && checksOf(sql).length > 0) checks.set(name as Table, checksOf(sql));
      }
    }
    if (disagreements.length === before && withoutSpaces(actual.sql) !== withoutSpaces(sql))
      report(place, 'another definition', `the ${type} with the constraints that the migrations make`);
  }
  const rowOrder = tables.has('transactions') ? 'table transactions' : null;
  return { disagreements, compared, tables, checks, rowOrder };
}
