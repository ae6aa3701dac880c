import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { verifyDatabase } from './healthy-database.ts';
import { healthyFile } from './healthy-file.ts';

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
    execute(
      path,
      `INSERT INTO sqlite_schema SELECT * FROM hidden; DELETE FROM sqlite_schema WHERE name = 'hidden'`,
    );
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
        `store-1, transaction store-1.d: no entry in the index ${index}`,
      ]);
    });

    test(`an entry of ${index} without a transaction`, async () => {
      const path = copyOfHealthy();
      changeWithout(path, index, `DELETE FROM transactions WHERE ${D}`);
      assert.deepEqual(
        (await linesOf(path)).filter((line) => line.includes('entry')),
        [
          `store-1, transaction store-1.d: an entry in the index ${index} with other values than the transaction, or without one`,
        ],
      );
    });
  }

  test('an entry with another status than the transaction, and the transaction without an entry', async () => {
    const path = copyOfHealthy();
    changeWithout(path, 'transactions_by_status', `UPDATE transactions SET status = 'refunded' WHERE ${D}`);
    assert.deepEqual(
      (await linesOf(path)).filter((line) => line.includes('entry')),
      [
        'store-1, transaction store-1.d: an entry in the index transactions_by_status with other values than the transaction, or without one',
        'store-1, transaction store-1.d: no entry in the index transactions_by_status',
      ],
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
      'store-1, transaction store-1.d: no entry in the index transactions_by_merchant_reference_time',
    ]);
  });

  test('an unnumbered transaction that its index lacks, which would never be numbered', async () => {
    const path = copyOfHealthy();
    changeWithout(
      path,
      'transactions_unnumbered',
      `INSERT INTO transactions (account, created_at_ms, reference, status, amount_minor, currency_code)
       VALUES ('store-1', 1, 'old', 'pending', 1, 'EUR')`,
    );
    assert.deepEqual(await linesOf(path), [
      'store-1, transaction old: no entry in the index transactions_unnumbered',
    ]);
  });

  test('a reference that two transactions have, where the unique index is not unique', async () => {
    const path = copyOfHealthy();
    execute(
      path,
      `DROP INDEX transactions_by_reference; CREATE INDEX transactions_by_reference ON transactions (account, reference);
       UPDATE transactions SET reference = 'store-1.a' WHERE ${D}`,
    );
    assert.deepEqual(await linesOf(path), [
      'index transactions_by_reference: another definition',
      'store-1, transaction store-1.a: the reference store-1.a, which another transaction has too, in the unique index transactions_by_reference',
    ]);
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

  test('missing tables, and goes on with the others', async () => {
    const path = copyOfHealthy();
    execute(
      path,
      "DROP TABLE daily_totals; DROP TABLE api_keys; UPDATE accounts SET head_sequence = 8 WHERE account = 'store-1'",
    );
    assert.deepEqual(await linesOf(path), [
      'index api_keys_by_hash: no such index',
      'index api_keys_by_id: no such index',
      'index api_keys_by_revocation: no such index',
      'index api_keys_by_roll: no such index',
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
    assert.deepEqual(await linesOf(path), [
      'store-1, index transactions_by_status: an error of the database: database disk image is malformed',
      'store-2, index transactions_by_status: an error of the database: database disk image is malformed',
    ]);
  });
});
