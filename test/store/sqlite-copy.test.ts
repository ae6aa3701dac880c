import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { SqliteCopyTarget } from '../../src/operate/copy/sqlite/copy-target.ts';
import { sqliteHarness } from '../rig/store/store-harness.ts';
import { copyContract } from './copy-contract.ts';

copyContract('SQLite', sqliteHarness);

test('a mark replaces the triggers of an earlier mark, which would refuse the copy', async () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  db.exec(
    "CREATE TRIGGER moved_cursor_secret_insert BEFORE INSERT ON cursor_secret BEGIN SELECT RAISE(ABORT, 'moved'); END",
  );
  const target = new SqliteCopyTarget(db, ':memory:', () => {});
  for (const state of ['moved', 'copying'] as const)
    await target.mark({ state, other: 'sqlite:old.db', sinceMs: 0 });
  await target.run([{ text: 'INSERT INTO cursor_secret VALUES (1, $1, 0)', values: ['s'.repeat(43)] }]);
  assert.equal(db.prepare('SELECT 1 FROM cursor_secret').all().length, 1);
  db.close();
});
