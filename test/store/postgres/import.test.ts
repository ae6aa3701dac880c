import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
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
