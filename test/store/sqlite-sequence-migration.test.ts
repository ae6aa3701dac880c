import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { MIGRATIONS, migrate } from '../../src/db/sqlite/migrate.ts';
import { openDatabase } from '../../src/db/sqlite/open-database.ts';
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts';
import { assertChangesMakeTheTable, changesOf, completed, pending, shownChanges } from '../rig/changes.ts';
import { GIVE_UP_MS } from '../rig/give-up.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { record, transaction } from '../rig/transactions.ts';

const NOW_MS = Date.UTC(2026, 5, 15);
const BEFORE = MIGRATIONS.filter(({ version }) => version <= 4);

const INSERT = `INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

describe('the migration of a SQLite database without sequence numbers', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let old: DatabaseSync;

  beforeEach(() => {
    folder = temporaryFolder();
    path = `${folder.path}/transactions.db`;
    old = openDatabase(path);
    old.exec('PRAGMA journal_mode = WAL');
    migrate(old, NOW_MS, { waitMs: 0 }, BEFORE);
  });
  afterEach(() => {
    old.close();
    folder.remove();
  });

  const open = () => {
    const { store, migrated } = openSqliteStore(path, () => NOW_MS, { timeoutMs: 60_000 });
    return { store: store, migrated };
  };
  const schemaOf = (db: DatabaseSync) =>
    db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();

  test('keeps every row, and leaves the schema of a new database', async () => {
    const insert = old.prepare(INSERT);
    old.exec('BEGIN');
    for (let index = 0; index < 5000; index++)
      insert.run(
        'store-1',
        `store-1.${index}`,
        index % 2 ? 'order' : null,
        'pending',
        index,
        'EUR',
        null,
        index,
      );
    old.exec('COMMIT');
    const before = old.prepare('SELECT * FROM transactions').all();
    const { store, migrated } = open();
    assert.deepEqual(
      migrated.map(({ version }) => version),
      MIGRATIONS.filter(({ version }) => version > 4).map(({ version }) => version),
    );
    const none = {
      pending_sequence: null,
      pending_recorded_at_ms: null,
      final_sequence: null,
      final_recorded_at_ms: null,
    };
    const after = old.prepare('SELECT * FROM transactions').all();
    assert.deepEqual(
      after.map((row) => ({ ...row })),
      before.map((row) => ({ ...row, ...none })),
    );
    assert.deepEqual(old.prepare('PRAGMA integrity_check').all().map(Object.values), [['ok']]);
    const fresh = new DatabaseSync(':memory:');
    migrate(fresh, NOW_MS, { waitMs: 0 });
    assert.deepEqual(schemaOf(old), schemaOf(fresh));
    fresh.close();

    let numbered = 0;
    for (let step = -1; step !== 0; numbered += step) step = await store.numberTransactions();
    assert.equal(numbered, 5000);
    assert.deepEqual(
      (await changesOf(store, 'store-1')).map((change) => change.transaction.createdAtMs),
      Array.from({ length: 5000 }, (_, index) => index),
    );
    await assertChangesMakeTheTable(store, 'store-1');
    assert.deepEqual(old.prepare('PRAGMA integrity_check').all().map(Object.values), [['ok']]);
    await store.close();
  });

  test('serves a process of the version before that has the database open: what it records is numbered later', async () => {
    const insert = old.prepare(INSERT);
    const complete = old.prepare('UPDATE transactions SET status = ?, paid_at_ms = ? WHERE reference = ?');
    const row = pending('store-1', 'p');
    const recordOld = (name: string) =>
      insert.run('store-1', `store-1.${name}`, null, 'completed', 100, 'EUR', 5, 5).changes;
    assert.equal(recordOld('a'), 1);
    const { store } = open();
    await record(store, [row]);
    assert.equal(recordOld('b'), 1);
    assert.equal(complete.run('completed', row.createdAtMs, row.reference).changes, 1);
    assert.equal(await store.numberTransactions(), 3);
    assert.equal(await store.numberTransactions(), 0);
    assert.deepEqual(await shownChanges(store, 'store-1'), [
      'p new pending',
      'a new completed',
      'b new completed',
      'p pending completed',
    ]);
    await assertChangesMakeTheTable(store, 'store-1');
    await store.close();
  });

  for (const [what, assignments] of [
    ['a sequence number below 1', 'final_sequence = 0, final_recorded_at_ms = 1'],
    ['a sequence number without a time', 'final_sequence = 2'],
    ['a time without a sequence number', 'pending_sequence = NULL'],
    ['a final number not above that of becoming pending', 'final_sequence = 1, final_recorded_at_ms = 1'],
    [
      'a final number while it is pending',
      "status = 'pending', paid_at_ms = NULL, final_sequence = 2, final_recorded_at_ms = 1",
    ],
    ['the number of another change of its kind', 'pending_sequence = 2'],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const { store } = open();
      await record(
        store,
        ['a', 'b'].map((name) => pending('store-1', name)),
      );
      await store.close();
      old.exec("UPDATE transactions SET status = 'completed', paid_at_ms = 1");
      const update = old.prepare(`UPDATE transactions SET ${assignments} WHERE reference = 'store-1.a'`);
      assert.throws(() => update.run(), /constraint failed/);
    });
  }

  test('a number that contradicts the head fails the recording, and is never given twice', async () => {
    const { store } = open();
    await record(store, [transaction('store-1', 'a'), transaction('store-2', 'a')]);
    old.exec("UPDATE accounts SET head_sequence = 0 WHERE account = 'store-1'");
    const rows = ['store-1', 'store-2'].map((account) => transaction(account, 'b'));
    const outcomes = await store.recordTransactions(rows);
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['failed', 'recorded'],
    );
    assert.equal(await store.retrieveTransaction('store-1', 'store-1.b'), undefined);
    await record(store, [completed(pending('store-2', 'c'))]);
    assert.deepEqual(await shownChanges(store, 'store-2'), [
      'a new completed',
      'b new completed',
      'c new completed',
    ]);
    await store.close();
  });
});

test('the numbers of an account whose head was lost go on after the largest one', async () => {
  const folder = temporaryFolder();
  const path = `${folder.path}/transactions.db`;
  const store = openSqliteStore(path, () => NOW_MS, { timeoutMs: 60_000 }).store;
  try {
    const first = pending('lost', 'first');
    await record(store, [transaction('lost', 'zeroth'), first]);
    await record(store, [completed(first)]);
    const shown = await shownChanges(store, 'lost');
    const other = new DatabaseSync(path, { timeout: GIVE_UP_MS });
    other.exec("DELETE FROM accounts WHERE account = 'lost'");
    other.close();
    await record(store, [transaction('lost', 'second')]);
    assert.deepEqual(await shownChanges(store, 'lost'), [...shown, 'second new completed']);
  } finally {
    await store.close();
    folder.remove();
  }
});
