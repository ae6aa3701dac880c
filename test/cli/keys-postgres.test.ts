import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, run, startRunning } from '../rig/service/process.ts';

describe('keys on PostgreSQL', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const optionsOn = (url: string) => ({ cwd: folder.path, env: { DATABASE_URL: url } });

  test('revoke waits while another session locks the keys, prints that it waits, and succeeds', async (t) => {
    const url = await makePostgresDatabase();
    await createDatabase(optionsOn(url));
    const created = await run(['keys', 'create', '--account', 'store-1', '--json'], optionsOn(url));
    const { id } = JSON.parse(created.stdout);
    const other = new pg.Client(url);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE api_keys IN SHARE MODE');
    const { exited, prints, output } = startRunning(t, ['keys', 'revoke', id], optionsOn(url));
    await prints('Waiting for the database', 'stderr');
    await other.query('COMMIT');
    await other.end();
    assert.deepEqual(await exited, [0, null], output.stderr);
  });
});
