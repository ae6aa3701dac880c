import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';

test('decisions/operating.md says of each stored time what a clock that was ahead leaves', () => {
  using db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const columns = db
    .prepare(
      `SELECT t.name || '.' || c.name AS "column" FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND c.name LIKE '%\\_ms' ESCAPE '\\'`,
    )
    .all()
    .map(({ column }) => String(column));
  const [, section = ''] = readFileSync('decisions/operating.md', 'utf8').split(
    '## Clocks that were ahead\n',
  );
  const decided = [...section.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) => {
    const names = [...cell.matchAll(/`(.+?)`/g)].map(([, name = '']) => name);
    const [table] = (names[0] ?? '').split('.');
    return names.map((name) => (name.includes('.') ? name : `${table}.${name}`));
  });
  assert.deepEqual(decided.toSorted(), columns.toSorted());
});
