import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openStore } from '../../../src/store/open-store.ts';
import { transaction } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { countOtherSessions, isLockAwaited, queryPostgres } from '../../rig/database/postgres.ts';
import { until } from '../../rig/run/give-up.ts';
import { beginImport } from '../../rig/store/import.ts';

test('a statement that deadlocks with another program is sent again', async () => {
  const url = await makeMigratedDatabase();
  const deadlocks = async () => {
    const [row] = await queryPostgres(
      url,
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row?.['deadlocks']);
  };
  for (let attempt = 0; (await deadlocks()) === 0; attempt++) {
    assert.ok(attempt < 100, 'no attempt caused a deadlock');
    const account = `a${attempt}`;
    const other = new pg.Client({ connectionString: url, options: '-c deadlock_timeout=1h' });
    await other.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO transactions (account, reference, status, amount_minor, currency_code, created_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce) VALUES ($1, $2, 'pending', 1, 'EUR', 0, 1000001, 0, 1)`,
      [account, `${account}.1`],
    );
    const { store: own } = await openStore(`${url}?options=-cdeadlock_timeout=100ms`, Date.now);
    // One row, because several rows would be sent again in smaller batches after any error.
    const into = await beginImport(own, [transaction(account, '1')]);
    const recording = into.record();
    await until(() => isLockAwaited(url));
    await other.query('SELECT FROM accounts WHERE account = $1 FOR UPDATE', [account]);
    await other.query('ROLLBACK');
    await other.end();
    const { end, counts } = await recording;
    await into.close();
    await own.close();
    assert.equal(end, 'completed');
    assert.deepEqual(counts, { recorded: 1, changed: 0, unchanged: 0, conflicts: 0 });
    // PostgreSQL may count the deadlock only when the sessions have ended.
    await until(async () => (await countOtherSessions(url)) === 0);
  }
});
