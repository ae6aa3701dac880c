import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openStore } from '../../../src/store/open-store.ts';
import { transaction } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { isLockAwaited } from '../../rig/database/postgres.ts';
import { until } from '../../rig/run/give-up.ts';
import { beginImport } from '../../rig/store/import.ts';

test('a statement that deadlocks with another program is sent again, and everything is recorded', async () => {
  const url = await makeMigratedDatabase();
  const other = new pg.Client({ connectionString: url, options: '-c deadlock_timeout=1h' });
  await other.connect();
  await other.query('BEGIN');
  const insert = (reference: string, sequence: number) =>
    other.query(
      `INSERT INTO transactions (account, reference, status, amount_minor, currency_code, created_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce) VALUES ('a', $1, 'pending', 1, 'EUR', 0, $2, 0, 1)`,
      [reference, sequence],
    );
  await insert('a.2', 1_000_002);
  // The import waits a second for a row. The server must find the deadlock before that.
  const { store: own } = await openStore(`${url}?options=-cdeadlock_timeout=100ms`, Date.now);
  const into = await beginImport(
    own,
    [1, 2, 3].map((index) => transaction('a', String(index))),
  );
  const recording = into.record();
  await until(() => isLockAwaited(url));
  await insert('a.1', 1_000_001);
  await other.query('ROLLBACK');
  await other.end();
  const { end, counts } = await recording;
  await into.close();
  await own.close();
  assert.equal(end, 'completed');
  assert.deepEqual(counts, { recorded: 3, changed: 0, unchanged: 0, conflicts: 0 });
});
