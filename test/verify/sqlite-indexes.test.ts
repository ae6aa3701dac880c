import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { verifyDatabase } from './healthy-database.ts';
import { healthyFile } from './healthy-file.ts';
import { type TreePage, treePages } from './pages.ts';

const D = `account = 'store-1' AND reference = 'store-1.d'`;

describe('verify finds on SQLite', () => {
  const copyOfHealthy = healthyFile();
  const linesOf = async (path: string) => (await verifyDatabase(`sqlite:${path}`)).lines;

  /** Runs SQL, on a connection of its own. The schema can be changed as a table. */
  const execute = (path: string, sql: string) => {
    const db = new DatabaseSync(path, { defensive: false });
    db.exec(`PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON; ${sql}`);
    db.close();
  };
  /** Changes the table while SQLite does not know of an index, so that the index keeps its entries. */
  const changeWithout = (path: string, index: string, sql: string) => {
    execute(
      path,
      `CREATE TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = '${index}'; DELETE FROM sqlite_schema WHERE name = '${index}'`,
    );
    execute(path, sql);
    execute(path, 'INSERT INTO sqlite_schema SELECT * FROM hidden');
    execute(path, 'DROP TABLE hidden');
  };

  const INDEXES = [
    'transactions_by_reference',
    'transactions_by_status',
    'transactions_by_status_currency',
    'transactions_by_final_sequence',
  ];
  for (const index of INDEXES) {
    test(`a transaction without an entry in ${index}`, async () => {
      const path = copyOfHealthy();
      execute(
        path,
        `CREATE TABLE saved AS SELECT * FROM transactions WHERE ${D}; DELETE FROM transactions WHERE ${D}`,
      );
      changeWithout(path, index, 'INSERT INTO transactions SELECT * FROM saved');
      assert.deepEqual(await linesOf(path), [
        index.endsWith('_sequence')
          ? `index ${index}: row 6 missing from index ${index}, and 1 more`
          : `index ${index}: wrong # of entries in index ${index}, and 1 more`,
      ]);
    });

    test(`an entry of ${index} without a transaction`, async () => {
      const path = copyOfHealthy();
      changeWithout(path, index, `DELETE FROM transactions WHERE ${D}`);
      assert.deepEqual(
        (await linesOf(path)).filter((line) => line.includes('index')),
        [`index ${index}: wrong # of entries in index ${index}`],
      );
    });
  }

  test('an entry with another status than the transaction, and the transaction without an entry', async () => {
    const path = copyOfHealthy();
    changeWithout(path, 'transactions_by_status', `UPDATE transactions SET status = 'refunded' WHERE ${D}`);
    assert.deepEqual(
      (await linesOf(path)).filter((line) => line.includes('index')),
      ['index transactions_by_status: row 6 missing from index transactions_by_status'],
    );
  });

  test('a merchantReference that its index lacks', async () => {
    const path = copyOfHealthy();
    changeWithout(
      path,
      'transactions_by_merchant_reference_time',
      `UPDATE transactions SET merchant_reference = 'order 3' WHERE ${D}`,
    );
    assert.deepEqual(await linesOf(path), [
      'index transactions_by_merchant_reference_time: row 6 missing from index transactions_by_merchant_reference_time, and 1 more',
    ]);
  });

  test('an index that is not unique, and can have a reference of two transactions', async () => {
    const path = copyOfHealthy();
    execute(
      path,
      `DROP INDEX transactions_by_reference; CREATE INDEX transactions_by_reference ON transactions (account, reference);
       UPDATE transactions SET reference = 'store-1.a' WHERE ${D}`,
    );
    assert.deepEqual(await linesOf(path), ['index transactions_by_reference: another definition']);
  });

  test('a number that two transactions have, where its unique index is missing', async () => {
    const path = copyOfHealthy();
    execute(
      path,
      `DROP INDEX transactions_by_final_sequence; UPDATE transactions SET final_sequence = 6 WHERE ${D}`,
    );
    assert.deepEqual(await linesOf(path), [
      'index transactions_by_final_sequence: no such index',
      'store-1, sequence number 5: no change',
      'store-1, transaction store-1.d: the sequence number 6, which another transaction has too',
    ]);
  });

  test('a table without a constraint, and one without a column', async () => {
    const path = copyOfHealthy();
    execute(
      path,
      `UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (length(key) BETWEEN 1 AND 255)', '') WHERE name = 'idempotency_keys'`,
    );
    execute(path, 'ALTER TABLE exports DROP COLUMN record');
    assert.deepEqual(await linesOf(path), [
      'column exports.record: no such column',
      'table idempotency_keys: another definition',
    ]);
  });

  test('a total whose amount is no number, and goes on with the others', async () => {
    const path = copyOfHealthy();
    const column = 'amount_low    INTEGER';
    const define = (from: string, to: string) =>
      `UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = 'daily_totals'`;
    execute(path, define(`${column} NOT NULL`, column));
    execute(path, `UPDATE daily_totals SET amount_low = NULL WHERE account = 'store-1' AND day = 20553`);
    execute(path, define(column, `${column} NOT NULL`));
    assert.deepEqual(await linesOf(path), [
      'store-1, daily total of 2026-04-10 EUR completed: 0.00 in 1 transaction',
      'table daily_totals: NULL value in daily_totals.amount_low',
    ]);
  });

  test('missing tables, and goes on with the others', async () => {
    const path = copyOfHealthy();
    execute(
      path,
      "DROP TABLE daily_totals; DROP TABLE api_keys; UPDATE accounts SET head_sequence = 8 WHERE account = 'store-1'",
    );
    assert.deepEqual(await linesOf(path), [
      'index api_keys_by_end: no such index',
      'index api_keys_by_hash: no such index',
      'index api_keys_by_id: no such index',
      'index api_keys_by_time: no such index',
      'index sessions_by_expiry: no such index',
      'index sessions_by_person: no such index',
      'index sessions_by_time: no such index',
      'index sessions_of_everywhere: no such index',
      'store-1, sequence number 8: no change',
      'table api_keys: no such table',
      'table daily_totals: no such table',
    ]);
  });

  test('pages of the file that are overwritten, and goes on with what can be read', async () => {
    const path = copyOfHealthy();
    const db = new DatabaseSync(path);
    const { rootpage } = db
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'transactions_by_status'")
      .get() as { rootpage: number };
    const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { page_size: number };
    db.close();
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(pageSize, 0xff), 0, pageSize, (rootpage - 1) * pageSize);
    closeSync(file);
    assert.equal(readFileSync(path)[(rootpage - 1) * pageSize], 0xff);
    const { lines, verified } = await verifyDatabase(`sqlite:${path}`);
    assert.deepEqual(lines, [
      `index transactions_by_status: Tree ${rootpage} page ${rootpage}: btreeInitPage() returns error code 11, and 1 more`,
      'the file: database disk image is malformed',
    ]);
    assert.equal(verified.transactions, 9);
  });

  for (const index of ['webhook_endpoints_enabled', 'api_keys_by_hash', 'exports_by_start'])
    test(`the only page of ${index}, emptied`, async () => {
      const path = copyOfHealthy();
      const { page } = treePages(path).find(({ tree }) => tree === index) as TreePage;
      const file = openSync(path, 'r+');
      // The header of a leaf without entries. Source: the file format of SQLite.
      writeSync(file, Buffer.from([10, 0, 0, 0, 0, 0x10, 0, 0]), 0, 8, (page - 1) * 4096);
      closeSync(file);
      const [line = ''] = await linesOf(path);
      assert.match(
        line,
        new RegExp(`^index ${index}: (row 1 missing from|wrong # of entries in) index ${index}`),
      );
    });
});
