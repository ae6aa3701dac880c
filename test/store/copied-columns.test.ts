import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { recordColumns, STORED_COLUMNS } from '../../src/operate/stored-rows.ts';
import { type RecordTable, tablesWith } from '../../values/tables.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { queryPostgres } from '../rig/database/postgres.ts';

/** Tables that are not copied: the copy creates them itself, or they describe only their own database. */
const NOT_COPIED: readonly string[] = tablesWith(
  ({ verified, copied }) => copied === 'not' && verified !== 'records',
);

const READ_AND_WRITTEN: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['accounts', ['account', 'head_sequence', 'erased_at_ms']],
  ['transactions', ['account', ...STORED_COLUMNS]],
  ...(tablesWith(({ verified }) => verified === 'records') as RecordTable[]).map(
    (table) => [table, recordColumns(table).columns] as const,
  ),
]);

function assertAllCopied(columns: readonly (readonly [table: string, column: string])[]) {
  const copied = columns.filter(([table]) => !NOT_COPIED.includes(table)).map((one) => one.join('.'));
  const ofErasures = ['accounts.closed_at_sequence'];
  const known = READ_AND_WRITTEN.entries().flatMap(([table, names]) =>
    names.map((name) => `${table}.${name}`),
  );
  assert.deepEqual(copied.toSorted(), [...known, ...ofErasures].toSorted());
}

test('every column of SQLite is copied and compared', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const rows = db
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
    )
    .all();
  db.close();
  assertAllCopied(rows.map(({ table, column }) => [String(table), String(column)]));
});

test('every column of PostgreSQL is copied and compared', async () => {
  const url = await makeMigratedDatabase();
  const rows = await queryPostgres(
    url,
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  assertAllCopied(rows.map(({ table, column }) => [String(table), String(column)]));
});
