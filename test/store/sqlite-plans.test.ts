import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { CHANGES_SQL } from '../../src/ledger/changes/sqlite/list-changes.ts';
import {
  equalityColumns,
  isMerged,
  type ListShape,
  leadingColumns,
} from '../../src/ledger/list/list-shape.ts';
import { listSql } from '../../src/ledger/list/sqlite/list-sql.ts';
import { UNSEALED_SQL } from '../../src/ledger/seals/sqlite/seals.ts';
import { LAST_NUMBER_SQL, STORED_TOTALS_SQL } from '../../src/ledger/totals/sqlite/totals.ts';
import { LIST_SHAPES } from '../rig/data/list-shapes.ts';
import { countVisits } from '../rig/database/count-visits.ts';
import { checkPlannedOnce, planOf } from '../rig/database/sqlite-plans.ts';

/*
 * 20,000 rows, of which one in a thousand is rare, with ties of 500: a plan that reads more entries than it returns
 * must read many.
 */
const ROWS = 20_000;
const LIMIT = 11;

const STATUSES = ['completed', 'pending'];

const INDEXES: Readonly<Record<string, string>> = {
  '': 'PRIMARY KEY',
  status: 'INDEX transactions_by_status',
  currency_code: 'INDEX transactions_by_status_currency',
  'status,currency_code': 'INDEX transactions_by_status_currency',
  merchant_reference: 'INDEX transactions_by_merchant_reference_time',
};

const LOOK_UP = [
  'SCAN found',
  'SEARCH transactions USING PRIMARY KEY (account=? AND created_at_ms=? AND reference=?)',
];

const sqlOf = (shape: ListShape) => listSql(shape, LIMIT, STATUSES.length);

/**
 * Inserts `count` transactions of each of two accounts. First all become pending, then all are paid: a page of changes is
 * at one end of each range, or between both.
 */
function insertChanges(db: DatabaseSync, count: number): void {
  migrate(db, 0, { waitMs: 0 });
  const insert = db.prepare(
    `INSERT INTO transactions (account, created_at_ms, reference, status, amount_minor, currency_code, paid_at_ms,
       pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
     VALUES (?, ?, ?, 'completed', 100, 'EUR', 0, ?, 0, 1, ?, 0, 1)`,
  );
  db.exec('BEGIN');
  for (let index = 1; index <= count; index++)
    for (const account of ['account', 'other'])
      insert.run(account, -index, `r${index}`, index, count + index);
  db.exec('COMMIT');
}

describe('the plan of a list', () => {
  const db = new DatabaseSync(':memory:');
  const visits = countVisits(db);

  before(() => {
    migrate(db, 0, { waitMs: 0 });
    const insert = db.prepare(
      `INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms,
         pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
       VALUES (?, ?, ?, ?, ?, 100, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    db.exec('BEGIN');
    for (let index = 0; index < ROWS; index++) {
      const createdAtMs = Math.floor(index / 500) * 1000;
      const status = index % 1000 === 0 ? 'pending' : 'completed';
      insert.run(
        index % 4 === 0 ? 'other' : 'account',
        createdAtMs,
        `r${index}`,
        index % 5 === 0 ? null : index % 1100 === 3 ? 'order-7' : 'order-1',
        status,
        index % 1500 === 2 ? 'JPY' : 'EUR',
        status === 'pending' ? null : createdAtMs,
        ...(status === 'pending' ? [index + 1, 0, 1, null, null, null] : [null, null, null, index + 1, 0, 1]),
      );
    }
    db.exec('COMMIT');
  });
  after(() => db.close());

  const valuesOf = (shape: ListShape, rare: boolean, at: number) => {
    const { merchantReference, status, currency, from, end } = shape;
    const values: SQLInputValue[] = ['account'];
    if (merchantReference) values.push(rare ? 'order-7' : 'order-1');
    if (status) values.push(rare ? 'pending' : 'completed');
    if (currency) values.push(rare ? 'JPY' : 'EUR');
    if (from) values.push(2000);
    if (end === 'before') values.push(at);
    if (end === 'after') values.push(at, 'r5');
    return isMerged(shape) ? [...values, ...STATUSES] : values;
  };

  for (const shape of LIST_SHAPES) {
    const name = `${[shape.merchantReference && 'merchantReference', shape.status && 'status', shape.currency && 'currency', shape.from && 'from', shape.end].filter(Boolean).join(', ')}`;

    test(`searches its index, without a sort: ${name}`, () => {
      const plan = planOf(db, sqlOf(shape), ...valuesOf(shape, false, 30_000));
      // A list by further columns of the index finds its rows in the index alone, then looks up each of them.
      const compares = leadingColumns(shape).length < equalityColumns(shape).length && !isMerged(shape);
      const index = `${compares ? 'COVERING ' : ''}${INDEXES[leadingColumns(shape).join()]}`;
      const steps = plan.filter((step) => !/^(MERGE \(UNION ALL\)|LEFT|RIGHT|CO-ROUTINE found)$/.test(step));
      const lookUp = steps.splice(steps.length - (compares ? 2 : 0));
      assert.deepEqual(lookUp, compares ? LOOK_UP : []);
      assert.equal(steps.length, isMerged(shape) ? STATUSES.length : 1, JSON.stringify(plan));
      for (const search of steps) {
        assert.ok(
          search.startsWith(`SEARCH transactions USING ${index} (account=?`),
          `${search} does not use ${index}`,
        );
        if (shape.end === 'after') assert.match(search, /\(created_at_ms,reference\)<\(\?,\?\)/);
      }
    });

    test(`is not planned again when its parameters are bound: ${name}`, () => {
      checkPlannedOnce(db, sqlOf(shape), (statement) => {
        for (const at of [39_000, 20_000]) statement.all(...valuesOf(shape, false, at));
      });
    });

    test(`reads no other row of the table, first page and deep, common and rare: ${name}`, () => {
      const counted = sqlOf(shape).replaceAll(/\n(UNION ALL|ORDER BY)/g, ' AND visit(amount_minor) = 1\n$1');
      for (const rare of [false, true]) {
        for (const at of [39_000, 20_000, 2000, 0]) {
          visits.count = 0;
          const found = db.prepare(counted).all(...valuesOf(shape, rare, at));
          assert.ok(visits.count >= found.length);
          // A merge reads the first entry of each range.
          const more = isMerged(shape) ? STATUSES.length - 1 : 0;
          assert.ok(
            visits.count <= found.length + more,
            `${visits.count} rows were read for ${found.length}`,
          );
        }
      }
    });
  }

  test('the count of rows detects a plan that reads too much', () => {
    visits.count = 0;
    db.prepare(
      `SELECT reference FROM transactions NOT INDEXED WHERE account = ? AND visit(amount_minor) = 1 AND +status = ?
       ORDER BY created_at_ms DESC, reference DESC LIMIT ?`,
    ).all('account', 'pending', LIMIT);
    assert.ok(visits.count > 1000, `${visits.count} rows were counted`);
  });
});

describe('the plan of a page of changes', () => {
  const HALF = 10_000;
  const PAGE = 100;
  const db = new DatabaseSync(':memory:');
  const visits = countVisits(db);

  before(() => insertChanges(db, HALF));
  after(() => db.close());

  test('searches both indexes of numbers, without a sort', () => {
    const plan = planOf(db, CHANGES_SQL, 'account', 0, PAGE);
    assert.deepEqual(
      plan.filter((step) => !/^(MERGE \(UNION ALL\)|LEFT|RIGHT)$/.test(step)),
      ['pending', 'final'].map(
        (change) =>
          `SEARCH transactions USING INDEX transactions_by_${change}_sequence (account=? AND ${change}_sequence>?)`,
      ),
    );
  });

  test('is not planned again when its parameters are bound', () => {
    checkPlannedOnce(db, CHANGES_SQL, (statement) => {
      for (const limit of [1, 100, 1000]) assert.equal(statement.all('account', 50, limit).length, limit);
    });
  });

  test('reads at most one entry more than it returns, at the beginning, deep, at the end and beyond it', () => {
    const counted = db.prepare(
      CHANGES_SQL.replaceAll(/\n(UNION ALL|ORDER BY)/g, ' AND visit(amount_minor) = 1\n$1'),
    );
    for (const after of [0, 1, HALF / 2, HALF - PAGE / 2, HALF, 2 * HALF - PAGE, 2 * HALF - 1, 2 * HALF]) {
      visits.count = 0;
      const first = Math.max(1, after);
      const found = counted.all('account', after, PAGE);
      assert.deepEqual(
        found.map(({ sequence }) => sequence),
        // The change at the number comes first.
        Array.from({ length: Math.min(PAGE, 2 * HALF - first + 1) }, (_, index) => first + index),
      );
      assert.ok(visits.count <= found.length + 1, `${visits.count} entries were read for ${found.length}`);
    }
  });
});

describe('the plans of totals', () => {
  const HALF = 5000;
  const db = new DatabaseSync(':memory:');

  before(() => insertChanges(db, HALF));
  after(() => db.close());

  const searchesOf = (sql: string, ...values: SQLInputValue[]) =>
    planOf(db, sql, ...values).filter((step) => /^(SEARCH|SCAN) (?!CONSTANT ROW)/.test(step));

  for (const name of ['eachDay', 'addedUp'] as const)
    test(`the stored totals are one range of the primary key: ${name}`, () => {
      assert.deepEqual(searchesOf(STORED_TOTALS_SQL[name], 'account', 1, 2, null, null, 9), [
        'SEARCH daily_totals USING PRIMARY KEY (account=? AND day>? AND day<?)',
        ...(name === 'addedUp' ? ['SCAN (subquery-1)'] : []),
      ]);
    });

  test('the number of an account, and the change with it, are one probe each', () => {
    const searches = searchesOf(LAST_NUMBER_SQL, 'account').filter(
      (step) => !step.startsWith('SCAN (subquery'),
    );
    assert.deepEqual(searches, [
      'SEARCH accounts USING PRIMARY KEY (account=?)',
      ...['pending', 'final'].map(
        (change) =>
          `SEARCH transactions USING INDEX transactions_by_${change}_sequence (account=? AND ${change}_sequence=?)`,
      ),
      'SEARCH archives USING PRIMARY KEY (account=?)',
    ]);
  });

  test('the accounts with changes that are not sealed are read in the order of the primary key', () => {
    assert.deepEqual(searchesOf(UNSEALED_SQL, '', 10), [
      'SEARCH accounts USING PRIMARY KEY (account>?)',
      'SEARCH seals USING PRIMARY KEY (account=?) LEFT-JOIN',
    ]);
    const plan = planOf(db, UNSEALED_SQL, '', 10);
    assert.ok(!plan.some((step) => /TEMP B-TREE/.test(step)), JSON.stringify(plan));
  });
});
