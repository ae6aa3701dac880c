import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { MIGRATIONS } from '../../src/db/postgres/migrate.ts';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { expectedSchema } from '../../src/operate/postgres/expected-schema.ts';
import { TABLE_LIST } from '../../values/tables.ts';

const CITUS_GUIDE = new URL('../../docs/citus.md', import.meta.url);

const RECORDS = TABLE_LIST.map(({ name }) => name).sort();

function checkRecords(columnsOf: (table: string) => readonly string[]) {
  for (const { name, key, belongsTo, onCitus } of TABLE_LIST) {
    const columns = columnsOf(name);
    for (const column of key) assert.ok(columns.includes(column), `${name} has no column ${column}`);
    assert.equal(belongsTo === 'account', columns.includes('account'), `${name} belongs to ${belongsTo}`);
    if (belongsTo === 'account') assert.equal(key[0], 'account', name);
    if (onCitus === 'distributed') assert.equal(belongsTo, 'account', `${name} is distributed`);
  }
}

test('every table of SQLite is declared, with its key and what its rows belong to', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const named = db.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  assert.deepEqual(
    named.all().map(({ name }) => name),
    RECORDS,
  );
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)');
  checkRecords((table) => columns.all(table).map(({ name }) => String(name)));
  db.close();
});

test('every table of PostgreSQL is declared, with its key and what its rows belong to', () => {
  const { tables } = expectedSchema(MIGRATIONS);
  assert.deepEqual([...tables.keys(), 'schema_migrations'].sort(), RECORDS);
  checkRecords((table) =>
    table === 'schema_migrations' ? ['version'] : [...(tables.get(table)?.columns.keys() ?? [])],
  );
});

test('docs/citus.md switches row-level security off for every distributed table that has it', () => {
  const { tables } = expectedSchema(MIGRATIONS);
  const [, named = ''] =
    /Switch row-level security off, for ([^.]*)\./.exec(readFileSync(CITUS_GUIDE, 'utf8')) ?? [];
  assert.deepEqual(
    [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
    TABLE_LIST.filter(
      ({ name, onCitus }) => onCitus === 'distributed' && tables.get(name)?.hasRowLevelSecurity,
    )
      .map(({ name }) => name)
      .sort(),
  );
});
