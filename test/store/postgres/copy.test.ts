import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresCopyTarget } from '../../../src/operate/copy/postgres/open-copy.ts';
import { isLockAwaited, queryPostgres, withPostgresClient } from '../../rig/database/postgres.ts';
import { until } from '../../rig/run/give-up.ts';
import { postgresHarness } from '../../rig/store/store-harness.ts';
import { copyContract } from '../copy-contract.ts';

copyContract('PostgreSQL', postgresHarness);

test('while a long read uses a table, marking a database as moved waits, and the requests of a service do not', async (t) => {
  const { url, dispose } = await postgresHarness();
  t.after(dispose);
  const target = await openPostgresCopyTarget(url);
  let marked: Promise<void> | undefined;
  await withPostgresClient(url, '', async (backup) => {
    await backup.query('BEGIN; SELECT FROM transactions LIMIT 1');
    marked = target.mark({ state: 'moved', other: 'elsewhere', sinceMs: 1 });
    await until(() => isLockAwaited(url));
    await withPostgresClient(url, '-c statement_timeout=10000', async (service) => {
      await service.query('SELECT FROM transactions LIMIT 1');
    });
  });
  await marked;
  assert.deepEqual(await queryPostgres(url, 'SELECT state FROM copy_state'), [{ state: 'moved' }]);
  await target.unmark();
  await target.close();
});
