import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { addTextSearch } from '../../src/db/sqlite/text-search.ts';
import { SQLITE_STATEMENTS, STATEMENTS } from '../rig/database/sql-files.ts';

test('each statement of a file names tables and columns of SQLite', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  addTextSearch(db);
  for (const { name, text } of SQLITE_STATEMENTS) assert.doesNotThrow(() => db.prepare(text), name);
  assert.ok(STATEMENTS.length > 60, `${STATEMENTS.length} statements`);
  assert.throws(() => db.prepare('SELECT labels FROM api_keys'));
  db.close();
});
