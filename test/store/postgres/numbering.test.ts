import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { until } from '../../crash/recording-load.ts';
import { assertChangesMakeTheTable, changesOf, shownChanges } from '../../rig/changes.ts';
import { makeMigratedDatabase } from '../../rig/migrated-database.ts';
import { queryPostgres } from '../../rig/postgres.ts';

const TIMEOUT_MS = 30_000;

let url: string;
let store: Store;
let holder: pg.Client;

beforeEach(async () => {
  url = await makeMigratedDatabase();
  const opened = await openStore(url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 2 });
  store = opened.store;
  holder = new pg.Client({ connectionString: url, application_name: 'holder' });
  await holder.connect();
});
afterEach(async () => {
  await holder.end();
  await store.close();
});

/** Inserts completed transactions of an account, as a version without numbers does: each a millisecond after the one before. */
const insertOld = (account: string, names: readonly string[], from = 1) =>
  queryPostgres(
    url,
    `INSERT INTO transactions (account, reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms)
     SELECT $1, $1 || '.' || name, 'completed', 1, 'EUR', 1, nth + $3 FROM unnest($2::text[]) WITH ORDINALITY AS given (name, nth)`,
    [account, names, from],
  );
const namesOf = (count: number) => Array.from({ length: count }, (_, nth) => `r${nth}`);
const hold = (account: string) =>
  holder.query(`BEGIN; INSERT INTO accounts (account, head_sequence) VALUES ('${account}', 0) ON CONFLICT DO NOTHING;
SELECT 1 FROM accounts WHERE account = '${account}' FOR UPDATE`);

/** Numbers until nothing is left, or until a failure. */
async function numberAll(): Promise<{ steps: number[]; failure: Error | undefined }> {
  const steps: number[] = [];
  try {
    for (;;) {
      const step = await store.numberTransactions();
      if (step === 0) return { steps, failure: undefined };
      steps.push(step);
    }
  } catch (failure) {
    return { steps, failure: failure as Error };
  }
}
const sum = (steps: readonly number[]) => steps.reduce((total, step) => total + step, 0);

test('an account that is held, with more transactions than a step has, does not hold back the others', async () => {
  await insertOld('a-held', namesOf(4500));
  await queryPostgres(url, `INSERT INTO accounts (account, head_sequence) VALUES ('a-held', 0)`);
  await insertOld('b', namesOf(3));
  await insertOld('c', namesOf(2));
  await hold('a-held');
  const numbering = numberAll();
  const headsOfOthers = async () => Object.fromEntries(await store.readHeads(['b', 'c']));
  await until(async () => isDeepStrictEqual(await headsOfOthers(), { b: 3, c: 2 }));
  await holder.query('ROLLBACK');
  const { steps, failure } = await numbering;
  assert.deepEqual([sum(steps), failure], [4505, undefined]);
  await assertChangesMakeTheTable(store, 'a-held');
});

test('that an account is held is reported if no other transaction is left and it lasts', async () => {
  const { store: impatient } = await openStore(url, Date.now, { timeoutMs: 1000, connections: 1 });
  try {
    await insertOld('a', namesOf(1));
    await hold('a');
    await assert.rejects(impatient.numberTransactions(), /lock timeout|answer/);
  } finally {
    await impatient.close();
  }
});

test('a transaction that the database refuses holds back its account only, and is reported when no other is left', async () => {
  for (const account of ['a', 'b', 'c']) await insertOld(account, namesOf(2));
  await queryPostgres(
    url,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this one'; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON transactions FOR EACH ROW WHEN (NEW.reference = 'b.r1') EXECUTE FUNCTION refuse()`,
  );
  try {
    const { steps, failure } = await numberAll();
    assert.equal(sum(steps), 4);
    assert.match(String(failure), /not this one/);
    assert.deepEqual(await store.readHeads(['a', 'b', 'c']), new Map(Object.entries({ a: 2, c: 2 })));
    await insertOld('c', ['later']);
    assert.deepEqual((await numberAll()).steps, [1]);
  } finally {
    await queryPostgres(url, 'DROP TRIGGER refuse ON transactions; DROP FUNCTION refuse()');
  }
  assert.deepEqual(await numberAll(), { steps: [2], failure: undefined });
  await assertChangesMakeTheTable(store, 'b');
});

test('a transaction that a trigger leaves out gets no number, and leaves no gap', async () => {
  await insertOld('a', namesOf(3));
  await insertOld('b', namesOf(1));
  await queryPostgres(
    url,
    `CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
     CREATE TRIGGER leave_out BEFORE UPDATE ON transactions FOR EACH ROW WHEN (NEW.reference = 'a.r1') EXECUTE FUNCTION leave_out()`,
  );
  try {
    const { steps, failure } = await numberAll();
    assert.deepEqual(steps, [1]);
    assert.match(String(failure), /left out a row: it numbered 2/);
    assert.deepEqual(await changesOf(store, 'a'), []);
  } finally {
    await queryPostgres(url, 'DROP TRIGGER leave_out ON transactions; DROP FUNCTION leave_out()');
  }
  assert.deepEqual(await numberAll(), { steps: [3], failure: undefined });
});

test('what is recorded without numbers behind the position is numbered in the next pass', async () => {
  await insertOld('b', namesOf(300), 1000);
  // The first step is smaller than the account.
  assert.equal(await store.numberTransactions(), 250);
  await insertOld('b', ['straggler']);
  await insertOld('a', ['other']);
  assert.equal(sum((await numberAll()).steps), 52);
  assert.equal((await shownChanges(store, 'b')).at(-1), 'straggler new completed');
  assert.deepEqual(await shownChanges(store, 'a'), ['other new completed']);
  assert.equal(await store.numberTransactions(), 0);
});

test('a pass reads each entry of the index once, also while an old snapshot keeps the dead ones', async () => {
  const count = 6000;
  await insertOld('a', namesOf(count));
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM transactions');
  const { steps, failure } = await numberAll();
  assert.deepEqual([sum(steps), failure], [count, undefined]);
  assert.ok(steps.length >= 5, String(steps));
  await store.close();
  // A session has counted what it read when it has ended.
  const read = async () => {
    const [row] = await queryPostgres(
      url,
      `SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'holder'
           AND backend_type = 'client backend' AND pid <> pg_backend_pid()) AS sessions,
         (SELECT idx_tup_read::int FROM pg_stat_user_indexes WHERE indexrelname = 'transactions_unnumbered') AS read`,
    );
    return { sessions: Number(row?.['sessions']), read: Number(row?.['read']) };
  };
  await until(async () => (await read()).sessions === 0 && (await read()).read >= count);
  // The pass behind it begins at the first entry again.
  const entries = (await read()).read;
  assert.ok(entries < 2.5 * count, `${entries} entries were read in ${steps.length} steps`);
});
