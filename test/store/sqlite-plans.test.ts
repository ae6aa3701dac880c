import assert from 'node:assert/strict';
import { constants, DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { ListShape } from '../../src/store/list-shape.ts';
import { listSql } from '../../src/store/sqlite/list-transactions.ts';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import { LIST_SHAPES } from '../rig/list-shapes.ts';

/*
 * 20,000 rows, of which one in a thousand is rare, with ties of 500: a plan that reads more entries than it returns
 * must read many.
 */
const ROWS = 20_000;
const LIMIT = 11;

const INDEX_OF = ({ merchantReference, status, currency }: ListShape) => {
  const columns = [merchantReference && 'merchant_reference', status && 'status', currency && 'currency'];
  const name = columns.filter(Boolean).join('_');
  return name === '' ? 'PRIMARY KEY' : `INDEX transactions_by_${name}`;
};

describe('the plan of a list', () => {
  const db = new DatabaseSync(':memory:');
  let visited = 0;

  before(() => {
    migrate(db, 0, { waitMs: 0 });
    // Called for each entry of the range until the limit: this counts the entries read.
    db.function('visit', { deterministic: false }, () => {
      visited++;
      return 1;
    });
    const insert = db.prepare(
      `INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms)
       VALUES (?, ?, ?, ?, ?, 100, ?, ?)`,
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
      );
    }
    db.exec('COMMIT');
  });
  after(() => db.close());

  const valuesOf = (
    { merchantReference, status, currency, from, end }: ListShape,
    rare: boolean,
    at: number,
  ) => {
    const values: SQLInputValue[] = ['account'];
    if (merchantReference) values.push(rare ? 'order-7' : 'order-1');
    if (status) values.push(rare ? 'pending' : 'completed');
    if (currency) values.push(rare ? 'JPY' : 'EUR');
    if (from) values.push(2000);
    if (end === 'before') values.push(at);
    if (end === 'after') values.push(at, 'r5');
    return values;
  };

  for (const shape of LIST_SHAPES) {
    const name = `${[shape.merchantReference && 'merchantReference', shape.status && 'status', shape.currency && 'currency', shape.from && 'from', shape.end].filter(Boolean).join(', ')}`;

    test(`is a search of one range, without a sort: ${name}`, () => {
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${listSql(shape, LIMIT)}`)
        .all(...valuesOf(shape, false, 30_000)) as { detail: string }[];
      assert.equal(plan.length, 1, JSON.stringify(plan));
      const detail = plan[0]?.detail ?? '';
      assert.match(detail, /^SEARCH transactions USING /);
      assert.ok(detail.includes(`${INDEX_OF(shape)} (`), `${detail} does not use ${INDEX_OF(shape)}`);
      assert.match(detail, shape.end === 'after' ? /\(created_at_ms,reference\)<\(\?,\?\)/ : /account=\?/);
    });

    test(`is not planned again when its parameters are bound: ${name}`, () => {
      // Called only while a statement is planned.
      let planned = 0;
      db.setAuthorizer(() => {
        planned++;
        return constants.SQLITE_OK;
      });
      const statement = db.prepare(listSql(shape, LIMIT));
      assert.ok(planned > 0);
      planned = 0;
      for (const at of [39_000, 20_000]) statement.all(...valuesOf(shape, false, at));
      db.setAuthorizer(null);
      assert.equal(planned, 0);
    });

    test(`reads at most ${LIMIT} entries, first page and deep, common and rare: ${name}`, () => {
      const counted = listSql(shape, LIMIT).replace('ORDER BY', 'AND visit() = 1 ORDER BY');
      for (const rare of [false, true]) {
        for (const at of [39_000, 20_000, 2000, 0]) {
          visited = 0;
          const found = db.prepare(counted).all(...valuesOf(shape, rare, at));
          assert.ok(visited <= LIMIT, `${visited} entries were read`);
          assert.equal(visited, found.length, 'an entry was read that the list does not hold');
        }
      }
    });
  }

  test('the count of entries detects a plan that reads too much', () => {
    visited = 0;
    db.prepare(
      `SELECT reference FROM transactions NOT INDEXED WHERE account = ? AND visit() = 1 AND +status = ?
       ORDER BY created_at_ms DESC, reference DESC LIMIT ?`,
    ).all('account', 'pending', LIMIT);
    assert.ok(visited > 1000, `${visited} entries were counted`);
  });
});
