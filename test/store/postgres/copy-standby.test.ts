import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openCopyReader, openStore } from '../../../src/store/open-store.ts';
import { StoreRefused } from '../../../values/store-errors.ts';
import { makePostgresDatabase, queryPostgres } from '../../rig/database/postgres.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';

test('a standby cannot be the source of a copy: it may lack recordings of its primary, or be a standby of the target', async () => {
  const primary = await startPostgres();
  try {
    const url = await makePostgresDatabase(primary.url);
    await (await openStore(url, Date.now)).store.close();
    const standby = await startPostgres({ standbyOf: primary });
    try {
      const [written] = await queryPostgres(url, 'SELECT pg_current_wal_lsn()::text AS position');
      const onStandby = `${standby.url}${new URL(url).pathname}`;
      const hasAll = `SELECT pg_last_wal_replay_lsn() >= '${written?.['position']}'::pg_lsn AS all`;
      while ((await queryPostgres(onStandby, hasAll))[0]?.['all'] !== true) await delay(50);

      await assert.rejects(
        openCopyReader(onStandby),
        (error) => error instanceof StoreRefused && /is a standby.*Name the primary\./.test(error.message),
      );
      const opened = await openCopyReader(url);
      assert.ok('reader' in opened);
      await opened.reader.close();
    } finally {
      await standby.stop();
    }
  } finally {
    await primary.stop();
  }
});
