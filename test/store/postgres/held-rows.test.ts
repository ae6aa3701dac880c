import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { outcomeOrHeld, recordHeld } from '../../../src/ledger/record/record.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { transaction } from '../../rig/data/transactions.ts';
import { heldSessions } from '../../rig/database/held-sessions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { queryPostgres } from '../../rig/database/postgres.ts';
import { PAID, PENDING, recordingInto } from '../../rig/http/request-bodies.ts';
import { testClock, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/service/operator-app.ts';

const TIMEOUT_MS = 20_000;
const SHORT_TIMEOUT_MS = 2000;

let url: string;
let store: Store;
let operator: TestOperatorApp;
let withShortLimit: TestOperatorApp;
const opened: Store[] = [];

const serviceWith = async (timeoutMs: number) => {
  ({ store } = await openStore(url, Date.now, { timeoutMs, connections: 2 }));
  opened.push(store);
  return buildTestOperatorApp(store, testClock(), { ...testConfig, requestTimeoutMs: timeoutMs });
};

describe('rows that another transaction has locked', () => {
  before(async () => {
    url = await makeMigratedDatabase();
    withShortLimit = await serviceWith(SHORT_TIMEOUT_MS);
    operator = await serviceWith(TIMEOUT_MS);
  });
  after(async () => {
    for (const one of opened) await one.close();
  });
  beforeEach(() => queryPostgres(url, 'TRUNCATE transactions, idempotency_keys'));

  const put = async (reference: string, fields: object = PAID, app = operator) =>
    (await recordingInto(app, 'acct-1').put(`acct-1.${reference}`, fields)).status;

  const putAll = (references: readonly string[], fields?: object) =>
    Promise.all(references.map((reference) => put(reference, fields)));

  const numbered = (count: number, name = 'other') =>
    Array.from({ length: count }, (_, index) => `${name}-${index}`);

  const recorded = (reference: string) => store.retrieveTransaction('acct-1', `acct-1.${reference}`);

  const hold = heldSessions(() => url);

  let nextSequence = 1_000_000;

  const insertOf = (reference: string) =>
    `INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
   VALUES ('acct-1', 'acct-1.${reference}', '${PAID.merchantReference}', 'completed', 1250, 'EUR', ${Date.parse(PAID.paidAt)}, ${Date.parse(PAID.createdAt)}, ${nextSequence++}, 0, 1)`;
  const updateOf = (reference: string) =>
    `UPDATE transactions SET currency_code = currency_code WHERE reference = 'acct-1.${reference}'`;

  function watched<Value>(promises: readonly Promise<Value>[]) {
    let settled = 0;
    for (const promise of promises) void promise.then(() => settled++);
    return { settled: () => settled };
  }

  describe('a row that another transaction holds', () => {
    test('201: recordings sent together with it, and later ones, do not wait for it', async () => {
      const held = await hold(insertOf('held'));
      const waiting = numbered(20).map(() => put('held'));
      const waited = watched(waiting);
      const others = [...(await putAll(numbered(100))), ...(await putAll(numbered(100, 'later')))];
      assert.deepEqual(new Set(others), new Set([201]));
      assert.equal(waited.settled(), 0);
      await held.query('COMMIT');
      assert.deepEqual(new Set(await Promise.all(waiting)), new Set([200]));
    });

    test('200: a payment completes once its pending row is free, while others complete at once', async () => {
      await putAll(['held', ...numbered(20)], PENDING);
      const held = await hold(updateOf('held'));
      const waiting = [put('held'), put('held')];
      const waited = watched(waiting);
      assert.deepEqual(new Set(await putAll(numbered(20))), new Set([200]));
      assert.equal(waited.settled(), 0);
      await held.query('COMMIT');
      assert.deepEqual(await Promise.all(waiting), [200, 200]);
      assert.equal((await recorded('held'))?.status, 'completed');
    });

    test('503: a row that stays held is refused in time; its many callers delay neither another held row nor free rows', async () => {
      const forEver = await hold(insertOf('for-ever'));
      const aWhile = await hold(insertOf('a-while'));
      const startedAtMs = performance.now();
      const impatient = put('for-ever', PAID, withShortLimit);
      const many = numbered(100).map(() => put('for-ever'));
      const waited = watched(many);
      const other = put('a-while');
      assert.deepEqual(new Set(await putAll(numbered(50))), new Set([201]));
      await aWhile.query('COMMIT');
      assert.equal(await other, 200);
      assert.equal(waited.settled(), 0);
      assert.equal(await impatient, 503);
      assert.ok(performance.now() - startedAtMs < TIMEOUT_MS);
      await forEver.query('ROLLBACK');
      const late = await Promise.all(many);
      assert.ok(
        late.every((status) => status === 200 || status === 201),
        String(late),
      );
    });

    test('503: more requests for a held row than can wait are refused at once', async () => {
      const held = await hold(insertOf('held'));
      const many = numbered(200).map(() => put('held'));
      assert.equal(await Promise.race(many), 503);
      await held.query('COMMIT');
      const statuses = await Promise.all(many);
      assert.deepEqual(new Set(statuses), new Set([200, 503]));
      assert.ok(statuses.filter((status) => status === 200).length >= 100);
    });

    test('200: one line of a batch waits, and every line has its own outcome', async () => {
      const held = await hold(insertOf('held'));
      const lines = ['held', ...numbered(20)].map((name) => ({ reference: `acct-1.${name}`, ...PAID }));
      const outcomes = await recordingInto(withShortLimit, 'acct-1').batch(...lines);
      await held.query('ROLLBACK');
      assert.deepEqual(outcomes, ['unavailable', ...numbered(20).map(() => 'recorded')]);
    });

    test('a row that becomes free is recorded in time, although many others stay held', async () => {
      const MANY = 200;
      const shorter = (await openStore(url, Date.now, { timeoutMs: 8000, connections: 2 })).store;
      opened.push(shorter);
      const held = await hold(numbered(MANY).map(insertOf).join(';'));
      const many = numbered(MANY).map((reference) => recordHeld(shorter, transaction('acct-1', reference)));
      const settled = Promise.allSettled(many);
      assert.equal((await recordHeld(shorter, transaction('acct-1', 'free'))).outcome, 'recorded');
      await held.query('ROLLBACK');
      await settled;
    });

    test('201: a held idempotency key does not delay other keys', async () => {
      const post = async (key: string) => (await recordingInto(operator, 'acct-1').post(PAID, key)).status;
      const held = await hold(
        `INSERT INTO idempotency_keys VALUES ('acct-1', 'held', repeat('0', 64), 'acct-1.x')`,
      );
      const waiting = numbered(20).map(() => post('held'));
      const waited = watched(waiting);
      assert.deepEqual(new Set(await Promise.all(numbered(20).map(post))), new Set([201]));
      assert.equal(waited.settled(), 0);
      await held.query('ROLLBACK');
      assert.deepEqual(new Set(await Promise.all(waiting)), new Set([201]));
      const [row] = await queryPostgres(url, 'SELECT count(*)::int AS rows FROM transactions');
      assert.equal(row?.['rows'], 21);
    });
  });

  describe('a transaction that the database refuses', () => {
    for (const [what, code, status] of [
      ['a check constraint', '23514', 500],
      ['an assertion', 'P0004', 500],
      ['a class that elsewhere means a lost connection', '08006', 503],
      ['a class that elsewhere means a server that stops', '57P01', 503],
      ['a code that elsewhere means a missing right', '42501', 500],
      ['a code that elsewhere means a full disk', '53100', 503],
      ['a code that elsewhere means a statement that took too long', '57014', 503],
    ] as const) {
      test(`${status} for it alone: ${what}; the rest of its group is recorded, on the same connections`, async () => {
        await put('first');
        const before = await backends();
        await queryPostgres(
          url,
          `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$;
         CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON transactions FOR EACH ROW
           WHEN (NEW.merchant_reference = 'bad') EXECUTE FUNCTION refuse()`,
        );
        try {
          const bad = put('bad', { ...PAID, merchantReference: 'bad' });
          assert.deepEqual(new Set(await putAll(numbered(40))), new Set([201]));
          assert.equal(await bad, status);
          assert.equal(await recorded('bad'), undefined);
          assert.deepEqual(await backends(), before);
        } finally {
          await queryPostgres(url, 'DROP TRIGGER refuse ON transactions');
        }
      });
    }

    const backends = async () =>
      (
        await queryPostgres(
          url,
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'transactions' ORDER BY pid`,
        )
      ).map(({ pid }) => pid);
  });

  const recordAll = async (instance: Store, rows: readonly AccountTransaction[]) =>
    Promise.all(
      (await instance.record(rows)).map((result, index) =>
        outcomeOrHeld(instance, rows[index] as AccountTransaction, result),
      ),
    );

  test('batches that complete the same payments, and PUTs of them, never fail by a deadlock', async () => {
    const other = (await openStore(url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 2 })).store;
    const COUNT = 300;
    try {
      for (let round = 0; round < 3; round++) {
        const pending = Array.from({ length: COUNT }, (_, index) =>
          transaction('acct-1', `${round}-${(index * 7919) % 10_007}`, { status: 'pending' }),
        );
        await recordAll(store, pending);
        const paid = pending.map((one) => ({ ...one, status: 'completed', paidAtMs: one.createdAtMs }));
        const orders = [paid, paid.toReversed(), [...paid.slice(100), ...paid.slice(0, 100)]];
        const results = await Promise.all(
          orders.flatMap((order) =>
            [store, other].map((instance) => recordAll(instance, order as AccountTransaction[])),
          ),
        );
        const outcomes = results.flat().map(({ outcome }) => outcome);
        assert.deepEqual(new Set(outcomes), new Set(['changed', 'unchanged']));
        assert.equal(outcomes.filter((outcome) => outcome === 'changed').length, COUNT);
      }
      const [row] = await queryPostgres(
        url,
        'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
      );
      assert.equal(row?.['deadlocks'], 0);
    } finally {
      await other.close();
    }
  });
});
