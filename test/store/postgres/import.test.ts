import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import type { ImportCounts } from '../../../src/operate/import/compare-staged.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { transaction } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { queryPostgres } from '../../rig/database/postgres.ts';
import { until } from '../../rig/run/give-up.ts';
import { fc } from '../../rig/run/properties.ts';
import { beginImport, importInto } from '../../rig/store/import.ts';

let url: string;
let store: Store;

before(async () => {
  url = await makeMigratedDatabase();
  ({ store } = await openStore(url, Date.now));
});

after(() => store.close());

const rows = () => queryPostgres(url, 'SELECT * FROM transactions ORDER BY account, reference');

/** Few accounts, references, times and amounts, so that lines repeat, advance and contradict other lines. */
const line: fc.Arbitrary<AccountTransaction> = fc
  .record({
    account: fc.constantFrom('a', 'B'),
    name: fc.constantFrom('x', 'y', 'Z'),
    status: fc.constantFrom('pending', 'pending', 'completed', 'failed'),
    createdAtMs: fc.constantFrom(1000, 1000, 1000, 2000),
    amountMinor: fc.constantFrom(5, 5, 5, -7),
    merchantReference: fc.constantFrom(null, null, 'm\\N\\t', 'straße "1", 2'),
    paidAtMs: fc.constantFrom(3000, 3000, 4000),
  })
  .map(({ account, name, status, paidAtMs, ...fields }) =>
    transaction(account, name, { ...fields, status, paidAtMs: status === 'completed' ? paidAtMs : null }),
  );

test('any sequence of imports has the same counts, conflicts and rows as on SQLite', async () => {
  const lines = fc.array(line, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(lines, { minLength: 1, maxLength: 3 }), async (imports) => {
      await queryPostgres(url, 'TRUNCATE transactions');
      const { store: sqlite } = await openStore(IN_MEMORY_URL, Date.now);
      for (const given of imports) {
        assert.deepEqual(await outcomeOf(store, given), await outcomeOf(sqlite, given));
      }
      for (const account of ['a', 'B']) {
        const query = { account, filter: NO_FILTER, after: null };
        assert.deepEqual(
          (await store.listTransactions(query, 100)).transactions,
          (await sqlite.listTransactions(query, 100)).transactions,
        );
      }
      await sqlite.close();
    }),
    { numRuns: 60 },
  );
});

async function outcomeOf(into: Store, given: readonly AccountTransaction[]) {
  const { checked, recorded } = await importInto(into, given);
  return { checked, counts: recorded.counts, conflicts: recorded.conflicts, end: recorded.end };
}

test('a check writes nothing: a table that was empty has no row, no dead row, no page', async () => {
  const database = await makeMigratedDatabase();
  const { store: own } = await openStore(database, Date.now);
  const into = await beginImport(
    own,
    Array.from({ length: 5000 }, (_, index) => transaction('a', String(index))),
  );
  assert.equal((await into.check()).counts.recorded, 5000);
  await into.close();
  await own.close();
  const [size] = await queryPostgres(database, `SELECT pg_relation_size('transactions')::int AS bytes`);
  assert.deepEqual(size, { bytes: 0 });
});

test('an import that is closed before its first query leaves no connection open', async () => {
  const connections = async () =>
    Number(
      (
        await queryPostgres(
          url,
          "SELECT count(*) AS count FROM pg_stat_activity WHERE application_name = 'transactions' AND datname = current_database()",
        )
      )[0]?.['count'],
    );
  const before = await connections();
  const opened = await store.openImport();
  assert.equal(await connections(), before + 1);
  await opened.close();
  await until(async () => (await connections()) === before);
});

test('if the server closes the connection, the recorded transactions are counted, and the result has the cause', async () => {
  await queryPostgres(url, 'TRUNCATE transactions');
  const into = await beginImport(
    store,
    Array.from({ length: 3000 }, (_, index) => transaction('a', String(index))),
  );
  await into.check();
  let batches = 0;
  const { recordTransactions } = into.connection;
  into.connection.recordTransactions = async (transactions) => {
    // At most two batches are in flight, so the first is done by now.
    if (++batches === 4) {
      await queryPostgres(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    }
    return recordTransactions(transactions);
  };
  const { end, transactions } = await into.record();
  await into.close();
  assert.ok(typeof end === 'object');
  assert.equal((end.failure as Error).name, 'StoreUnavailable');
  assert.ok(transactions > 0);
  // The result of a batch in flight can be lost with the connection.
  const { length } = await rows();
  assert.ok(length >= transactions && length < 3000, `${length} rows, ${transactions} counted`);
});

test('a statement that deadlocks with another program is sent again, and everything is recorded', async () => {
  await queryPostgres(url, 'TRUNCATE transactions');
  const other = new pg.Client({ connectionString: url, options: '-c deadlock_timeout=1h' });
  await other.connect();
  await other.query('BEGIN');
  const insert = (reference: string, sequence: number) =>
    other.query(
      `INSERT INTO transactions (account, reference, status, amount_minor, currency_code, created_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce) VALUES ('a', $1, 'pending', 1, 'EUR', 0, $2, 0, 1)`,
      [reference, sequence],
    );
  await insert('a.2', 1_000_002);
  // The server must find the deadlock before the import stops waiting for the row, after a second.
  const { store: own } = await openStore(`${url}?options=-cdeadlock_timeout=100ms`, Date.now);
  const into = await beginImport(
    own,
    [1, 2, 3].map((index) => transaction('a', String(index))),
  );
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const recording = into.record();
  await until(async () => (await queryPostgres(url, waiting)).length > 0);
  // By now the import holds a.1 and waits for a.2. Only the import's session checks for deadlocks, so the
  // server cancels its statement.
  await insert('a.1', 1_000_001);
  await other.query('ROLLBACK');
  await other.end();
  const { end, counts } = await recording;
  await into.close();
  await own.close();
  assert.equal(end, 'completed');
  assert.deepEqual(counts, { recorded: 3, changed: 0, unchanged: 0, conflicts: 0 });
});

test('two machines that import the same lines at once record each of them once', async () => {
  await queryPostgres(url, 'TRUNCATE transactions');
  const lines = Array.from({ length: 2000 }, (_, index) =>
    transaction('a', String(index), {
      status: index % 3 === 0 ? 'pending' : 'completed',
      createdAtMs: index,
    }),
  );
  const outcomes = await Promise.all([importInto(store, lines), importInto(store, lines.toReversed())]);
  const total = (of: keyof ImportCounts) =>
    outcomes.reduce(
      (sum, { checked, recorded }) =>
        sum + checked.counts.unchanged * Number(of === 'unchanged') + recorded.counts[of],
      0,
    );
  assert.deepEqual([total('recorded'), total('unchanged'), total('conflicts')], [2000, 2000, 0]);
  assert.equal((await rows()).length, 2000);
});

for (const [what, change] of [
  ['pending and paid', { status: 'pending', paidAtMs: 1 }],
  ['completed and not paid', { status: 'completed', paidAtMs: null }],
  ['of a status in capitals', { status: 'Failed' }],
  ['of a currency in small letters', { currencyCode: 'eur' }],
  ['of a currency of four letters', { currencyCode: 'EURO' }],
  ['of an account with a blank', { account: 'a b' }],
  ['of an account that is too long', { account: 'a'.repeat(65) }],
  ['of a reference with a line break', { reference: 'x\\n' }],
  ['of an empty reference', { reference: '' }],
  ['of an amount beyond the largest', { amountMinor: 1e15 }],
  ['of the year 10000', { createdAtMs: 253_402_300_800_000 }],
  ['with an empty merchantReference', { merchantReference: '' }],
  ['with a merchantReference that is too long', { merchantReference: 'm'.repeat(256) }],
] as const) {
  test(`a transaction ${what} can't be recorded by any program`, async () => {
    const row = { ...transaction('a', 'impossible'), ...change } as AccountTransaction;
    const { recorded } = await importInto(store, [row]);
    assert.equal((recorded.refusedLines.get(1) as pg.DatabaseError).code, '23514');
  });
}
