import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { accountArchiver } from '../../src/operate/archive/account-archiver.ts';
import { STORED_FIELDS, type StoredRow } from '../../src/operate/stored-rows.ts';
import { openSqliteWriter } from '../../src/operate/writer/sqlite/writer.ts';
import { openStore } from '../../src/store/open-store.ts';
import { planOf } from '../rig/database/sqlite-statements.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { archiveContract } from './archive-contract.ts';
import { sealedContract } from './sealed-contract.ts';

const folder = temporaryFolder();
after(folder.remove);
let databases = 0;

archiveContract('SQLite', async () => `sqlite:${folder.path}/${++databases}.db`);
sealedContract('SQLite', async () => `sqlite:${folder.path}/${++databases}.db`);

test('a removal of archived transactions reads no other transactions of the account', async (t) => {
  const path = `${folder.path}/plans.db`;
  await (await openStore(`sqlite:${path}`, () => 0)).store.close();
  const db = new DatabaseSync(path);
  db.exec(
    `INSERT INTO archives (account, before_ms, floor_sequence, floor_nonce, floor_seal, rest, removed_changes) VALUES ('acc', 0, 1, 1, '${'0'.repeat(64)}', '${'0'.repeat(64)}', 0)`,
  );
  const prepare = t.mock.method(DatabaseSync.prototype, 'prepare');
  const archiver = accountArchiver(openSqliteWriter(path));
  const none = Object.fromEntries(STORED_FIELDS.map((field) => [field, null]));
  const rows = Array.from(
    { length: 250 },
    (_, at) => ({ ...none, reference: `r${at}` }) as unknown as StoredRow,
  );
  assert.equal(await archiver.removeRows('acc', rows), 0);
  await archiver.end();
  const sql = prepare.mock.calls
    .map(({ arguments: [text] }) => text)
    .find((text) => /^DELETE FROM transactions/.test(text));
  assert.deepEqual(planOf(db, sql as string), [
    'SEARCH transactions USING INDEX transactions_by_reference (account=? AND reference=?)',
  ]);
  db.close();
});
