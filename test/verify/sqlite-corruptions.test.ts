import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { turnTest } from '../rig/run/turn-test.ts';
import { corruptionsOf } from './corruptions.ts';
import { makeHealthy, verifyDatabase } from './healthy-database.ts';

const PLANTED = ['the last transaction is missing', 'an amount is one hundredth too high'];
const D = `account = 'store-1' AND reference = 'store-1.d'`;
const PAGE_BYTES = 4096;

describe('verify finds on SQLite', () => {
  const folder = temporaryFolder();
  const healthy = `${folder.path}/healthy.db`;
  let copies = 0;
  before(() => makeHealthy(`sqlite:${healthy}`));
  after(folder.remove);
  const copyOfHealthy = () => {
    const path = `${folder.path}/${++copies}.db`;
    copyFileSync(healthy, path);
    return path;
  };
  const linesOf = async (path: string) => (await verifyDatabase(`sqlite:${path}`)).lines;

  const execute = (path: string, ...sql: string[]) => {
    for (const one of sql) {
      using db = new DatabaseSync(path, { defensive: false });
      db.exec(`PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON; ${one}`);
    }
  };
  const overwrite = (path: string, index: string, bytes: Buffer): number => {
    using db = new DatabaseSync(path, { readOnly: true });
    const page = Number(db.prepare('SELECT pageno FROM dbstat WHERE name = ?').get(index)?.['pageno']);
    const file = readFileSync(path);
    bytes.copy(file, (page - 1) * PAGE_BYTES);
    writeFileSync(path, file);
    return page;
  };

  test('nothing in a healthy database', async () => {
    const { lines, verified } = await verifyDatabase(`sqlite:${healthy}`);
    assert.deepEqual(lines, []);
    assert.ok(verified.schemaObjects > 70);
    assert.equal(verified.indexes, 21);
  });

  for (const { name, sql, reported } of corruptionsOf('SQLite'))
    (PLANTED.includes(name) ? test : turnTest)(name, async () => {
      const path = copyOfHealthy();
      execute(path, ...sql);
      for (const pageSize of [2000, 1])
        assert.deepEqual((await verifyDatabase(`sqlite:${path}`, { pageSize })).lines, reported);
    });

  const changeWithout = (path: string, index: string, sql: string) =>
    execute(
      path,
      `CREATE TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = '${index}'; DELETE FROM sqlite_schema WHERE name = '${index}'`,
      sql,
      'INSERT INTO sqlite_schema SELECT * FROM hidden',
      'DROP TABLE hidden',
    );
  for (const [column, sql, found] of [
    ['reference', 'missing', 'wrong # of entries in INDEX, and 1 more'],
    ['reference', 'left', 'wrong # of entries in INDEX'],
    ['status', "status = 'refunded'", 'row 6 missing from INDEX'],
  ] as const) {
    const index = `transactions_by_${column}`;
    turnTest(`an entry of ${index} that disagrees with its row: ${sql}`, async () => {
      const path = copyOfHealthy();
      if (sql === 'missing') {
        const saved = `CREATE TABLE saved AS SELECT * FROM transactions WHERE ${D}`;
        execute(path, `${saved}; DELETE FROM transactions WHERE ${D}`);
        changeWithout(path, index, 'INSERT INTO transactions SELECT * FROM saved');
      } else if (sql === 'left') changeWithout(path, index, `DELETE FROM transactions WHERE ${D}`);
      else changeWithout(path, index, `UPDATE transactions SET ${sql} WHERE ${D}`);
      assert.deepEqual(
        (await linesOf(path)).filter((line) => line.startsWith('index')),
        [`index ${index}: ${found.replace('INDEX', `index ${index}`)}`],
      );
    });
  }

  turnTest('a page of the file that is overwritten, and goes on with what can be read', async () => {
    const path = copyOfHealthy();
    const page = overwrite(path, 'transactions_by_status', Buffer.alloc(PAGE_BYTES, 0xff));
    const { lines, verified } = await verifyDatabase(`sqlite:${path}`);
    assert.deepEqual(lines, [
      `index transactions_by_status: Tree ${page} page ${page}: btreeInitPage() returns error code 11, and 1 more`,
      'the file: database disk image is malformed',
    ]);
    assert.equal(verified.transactions, 9);
  });
});
