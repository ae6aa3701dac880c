import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccountEraser } from '../../src/store/open-store.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { isLockAwaited, makePostgresDatabase, withPostgresClient } from '../rig/database/postgres.ts';
import { until } from '../rig/run/give-up.ts';
import { someEntry } from '../rig/store/audit.ts';
import { eraseContract } from './erase-contract.ts';
import { suspendedContract } from './suspended-contract.ts';

eraseContract('PostgreSQL', () => makePostgresDatabase());
suspendedContract('PostgreSQL', () => makePostgresDatabase());

test('an erased account is not opened again while the creation of a key for it is in flight', async (t) => {
  const url = await makeMigratedDatabase();
  const eraser = await openAccountEraser(url);
  t.after(() => eraser.end());
  await withPostgresClient(url, '', async (other) => {
    await other.query(`BEGIN; INSERT INTO api_keys (id, account, hash, key_start, scopes, created_at_ms)
VALUES ('key_0000000000000000', 'a', repeat('0', 64), 'tk_live_aaaaaa', 'read', 0)`);
    let isOpened: boolean | undefined;
    const opening = eraser.open('a', 0, someEntry()).then((is) => {
      isOpened = is;
    });
    await until(async () => isOpened !== undefined || (await isLockAwaited(url)));
    await other.query('COMMIT');
    await opening;
    assert.equal(isOpened, false);
  });
});
