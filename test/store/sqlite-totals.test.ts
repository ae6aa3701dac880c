import assert from 'node:assert/strict';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { readTotals } from '../../src/ledger/totals/read-totals.ts';
import { MAX_SUMMED } from '../../src/ledger/totals/totals.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { runWrites, type WriteName, type Writer, writerOn } from '../../src/store/writer.ts';
import { ALL_TOTALS } from '../rig/data/all-totals.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

describe('the totals of the SQLite store', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store;
  beforeEach(async () => {
    folder = temporaryFolder();
    ({ store } = await openStore(`sqlite:${folder.path}/transactions.db`, Date.now));
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  test('are read in slices, between which the event loop answers other requests', async () => {
    const count = 3 * MAX_SUMMED;
    for (let first = 0; first < count; first += 1000)
      await record(
        store,
        Array.from({ length: 1000 }, (_, index) => transaction('store-1', `r${first + index}`)),
      );
    let isReading = true;
    const reading = readTotals(store, { account: 'store-1', ...ALL_TOTALS }).finally(() => {
      isReading = false;
    });
    let turns = 0;
    for (; isReading; turns++) await nextTurn();
    assert.equal((await reading).totals[0]?.count, count);
    assert.ok(turns >= 3, `${turns} turns of the event loop`);
  });

  test('are added up on another thread than the one of requests, except for some changes', async (t) => {
    await record(
      store,
      Array.from({ length: 200 }, (_, index) => transaction('store-1', `many-${index}`)),
    );
    const all = t.mock.method(StatementSync.prototype, 'all');
    const readHere = () => all.mock.callCount();
    for (const [changes, expected] of [
      [99, 1],
      [100, 1],
      [200, 1],
    ] as const) {
      const { sums } = await store.sumChanges('store-1', 0, changes);
      assert.equal(
        sums.reduce((sum, { count }) => sum + count, 0),
        changes,
      );
      assert.equal(readHere(), expected);
    }
    const { accounts } = await store.listBehind('', 10);
    assert.deepEqual(accounts, [
      { account: 'store-1', totalsSequence: 0, sealedSequence: 0, headSequence: 200 },
    ]);
    assert.equal(readHere(), 1);
  });

  /** Stored totals of one currency on many days, with one transaction on each. */
  const fillDays = (db: DatabaseSync, days: number) => {
    const insert = db.prepare(
      `INSERT INTO daily_totals (account, day, currency_code, status, count, amount_high, amount_low)
       VALUES ('store-1', ?, 'EUR', 'completed', 1, 0, 100)`,
    );
    db.exec('BEGIN');
    for (let day = 0; day < days; day++) insert.run(day);
    db.exec(`INSERT INTO totals_progress (account, sequence) VALUES ('store-1', ${days});
      INSERT INTO accounts (account, head_sequence) VALUES ('store-1', ${days}); COMMIT`);
  };

  test('of many days are read in slices, and again if a change is added between two of them', async () => {
    const other = new DatabaseSync(`${folder.path}/transactions.db`);
    fillDays(other, 5000);
    const query = { account: 'store-1', ...ALL_TOTALS, byDay: true, months: [] };
    const days = [{ from: null, to: null }];
    const add = () =>
      other.exec(`BEGIN; UPDATE totals_progress SET sequence = sequence + 2; UPDATE accounts SET head_sequence = head_sequence + 2;
        UPDATE daily_totals SET count = 2 WHERE day IN (0, 4999); COMMIT`);
    let isReading = true;
    const reading = store.readStoredTotals({ ...query, days }).finally(() => {
      isReading = false;
    });
    let turns = 0;
    for (; isReading; turns++) {
      await nextTurn();
      if (turns === 1) add();
    }
    const { totals, totalsSequence } = await reading;
    assert.equal(totalsSequence, 5002);
    assert.deepEqual(
      totals.map(({ day, count }) => [day, count]),
      Array.from({ length: 5000 }, (_, day) => [day, day === 0 || day === 4999 ? 2 : 1]),
    );
    assert.ok(turns >= 6, `${turns} turns of the event loop`);
    const some = await store.readStoredTotals({
      ...query,
      days: [
        { from: 10, to: 3000 },
        { from: 4000, to: null },
      ],
    });
    assert.deepEqual(
      some.totals,
      totals.filter(({ day }) => day !== null && day >= 10 && (day <= 3000 || day >= 4000)),
    );
    other.close();
  });

  test('of many days are read at once if changes are added between all slices', async () => {
    const other = new DatabaseSync(`${folder.path}/transactions.db`);
    fillDays(other, 2000);
    const query = {
      account: 'store-1',
      ...ALL_TOTALS,
      byDay: true,
      days: [{ from: null, to: null }],
      months: [],
    };
    let isReading = true;
    const reading = store.readStoredTotals(query).finally(() => {
      isReading = false;
    });
    let added = 2000;
    for (; isReading; added++) {
      other.exec('UPDATE totals_progress SET sequence = sequence + 1');
      await nextTurn();
    }
    const { totals, totalsSequence } = await reading;
    assert.equal(totals.length, 2000);
    assert.ok(totalsSequence > 2000 && totalsSequence <= added, String(totalsSequence));
    other.close();
  });

  test('are added to behind the recordings that wait, not before them', async () => {
    await record(store, [transaction('store-1', 'first')]);
    const sums = await store.sumChanges('store-1', 0, 1);
    const other = new DatabaseSync(`${folder.path}/transactions.db`);
    other.exec('BEGIN IMMEDIATE');
    const done: string[] = [];
    const recordings = Array.from({ length: 10 }, async (_, index) => {
      await record(store, [transaction('store-1', `r${index}`)]);
      done.push('recording');
    });
    const adding = store.addToTotals('store-1', 0, 1, sums).then((added) => done.push(`added: ${added}`));
    other.close();
    await Promise.all([...recordings, adding]);
    assert.deepEqual(done, [...Array<string>(10).fill('recording'), 'added: true']);
  });
});

const [NORMAL, FULL] = [1, 2];

/** Writes that note whether their commit waits for the disk. */
function notingWriter() {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  db.exec('PRAGMA synchronous = FULL');
  const seen: [name: WriteName, synchronous: number][] = [];
  const note = (name: WriteName) => (result: unknown) => {
    seen.push([name, Number(db.prepare('PRAGMA synchronous').get()?.['synchronous'])]);
    if (result instanceof Error) throw result;
  };
  const names: readonly WriteName[] = ['addToTotals', 'recordTransactions', 'revokeApiKey'];
  const noting = Object.fromEntries(names.map((name) => [name, note(name)]));
  const writer = { ...writerOn(db), ...noting } as Writer;
  const write = (name: WriteName, result?: Error) => runWrites(db, writer, [{ name, values: [result] }]);
  /** Writes that share a commit. */
  const writeAll = (...shared: WriteName[]) =>
    runWrites(
      db,
      writer,
      shared.map((name) => ({ name, values: [] })),
    );
  return { db, seen, write, writeAll };
}

test('a commit that an addition to the totals shares with another write waits for the disk', () => {
  const { db, seen, writeAll } = notingWriter();
  writeAll('addToTotals', 'revokeApiKey');
  writeAll('addToTotals', 'addToTotals');
  assert.deepEqual(seen, [
    ['addToTotals', FULL],
    ['revokeApiKey', FULL],
    ['addToTotals', NORMAL],
    ['addToTotals', NORMAL],
  ]);
  db.close();
});

test('only the commit of an addition to the totals does not wait for the disk, whether it succeeds or fails', () => {
  const { db, seen, write } = notingWriter();
  write('recordTransactions');
  write('addToTotals');
  write('addToTotals');
  write('recordTransactions');
  assert.throws(() => write('addToTotals', new Error('refused')), /refused/);
  write('addToTotals');
  write('revokeApiKey');
  assert.deepEqual(seen, [
    ['recordTransactions', FULL],
    ['addToTotals', NORMAL],
    ['addToTotals', NORMAL],
    ['recordTransactions', FULL],
    ['addToTotals', NORMAL],
    ['addToTotals', NORMAL],
    ['revokeApiKey', FULL],
  ]);
  db.close();
});

test('a recording fails if its commit would not wait for the disk', (t) => {
  const { db, seen, write } = notingWriter();
  write('addToTotals');
  const execute = t.mock.method(db, 'exec', () => {
    throw new Error('database is locked');
  });
  assert.throws(() => write('recordTransactions'), /database is locked/);
  execute.mock.restore();
  write('recordTransactions');
  assert.deepEqual(seen, [
    ['addToTotals', NORMAL],
    ['recordTransactions', FULL],
  ]);
  db.close();
});
