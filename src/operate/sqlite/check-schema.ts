import { DatabaseSync } from 'node:sqlite';
import type { Table } from '../../../values/tables.ts';
import { type AppliedMigration, alteredMigrations } from '../../db/migrations.ts';
import { appliedMigrations, MIGRATIONS, migrate } from '../../db/sqlite/migrate.ts';
import { IN_MEMORY } from '../../db/sqlite/open-database.ts';
import { alteredMigration, type Disagreement, schemaDisagreement } from '../disagreement.ts';
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

/** Each column of a table with its type and whether it is required. */
function readColumns(db: DatabaseSync, table: string): Map<string, string> {
  const rows = db.prepare('SELECT name, type, "notnull" FROM pragma_table_xinfo(?)').all(table);
  return new Map(
    rows.map(({ name, type, notnull }) => [String(name), `${type}${notnull === 1 ? ' NOT NULL' : ''}`]),
  );
}

/** SQLite versions differ in the spaces that they write when they alter a table. */
const withoutSpaces = (sql: string) => sql.replaceAll(/--.*$|\s+/gm, '');

/** Compares the schema with what the migrations make in an empty database. */
export function checkSchema(db: DatabaseSync): SchemaCheck {
  const model = new DatabaseSync(IN_MEMORY);
  try {
    migrate(model, 0, { waitMs: 0 });
    return compareSchema(db, model, appliedMigrations(db));
  } finally {
    model.close();
  }
}

function compareSchema(db: DatabaseSync, model: DatabaseSync, applied: AppliedMigration[]): SchemaCheck {
  const disagreements = alteredMigrations(MIGRATIONS, applied).map(alteredMigration);
  const found = new Map(readSchema(db).map((object) => [object.name, object]));
  const tables = new Set<string>();
  const checks = new Map<Table, ValueCheck[]>();
  let compared = applied.length;
  for (const { type, name, sql } of readSchema(model)) {
    const place = `${type} ${name}`;
    const actual = found.get(name);
    compared++;
    if (actual?.type !== type) {
      disagreements.push(
        schemaDisagreement(place, `no such ${type}`, `the ${type} that the migrations make`),
      );
      continue;
    }
    if (type === 'table') {
      tables.add(name);
      const columns = compareColumns(name, readColumns(db, name), readColumns(model, name));
      compared += columns.compared;
      disagreements.push(...columns.disagreements);
      if (columns.isIncomplete) tables.delete(name);
      // The CHECKs of `daily_totals` are left out: totals are compared with the transactions.
      else if (name !== 'daily_totals' && checksOf(sql).length > 0) checks.set(name as Table, checksOf(sql));
      if (columns.disagreements.length > 0) continue;
    }
    if (withoutSpaces(actual.sql) !== withoutSpaces(sql))
      disagreements.push(
        schemaDisagreement(
          place,
          'another definition',
          `the ${type} with the constraints that the migrations make`,
        ),
      );
  }
  return {
    disagreements,
    compared,
    tables,
    checks,
    rowOrder: tables.has('transactions') ? 'table transactions' : null,
  };
}

function compareColumns(
  table: string,
  found: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): { disagreements: Disagreement[]; isIncomplete: boolean; compared: number } {
  const disagreements: Disagreement[] = [];
  for (const [column, type] of expected) {
    const actual = found.get(column);
    if (actual !== type)
      disagreements.push(schemaDisagreement(`column ${table}.${column}`, actual ?? 'no such column', type));
  }
  const isIncomplete = [...expected.keys()].some((column) => !found.has(column));
  return { disagreements, isIncomplete, compared: expected.size };
}
