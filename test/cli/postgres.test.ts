import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { makePostgresDatabase, makePostgresRole, ROLE_PASSWORD } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, run, startRunning, startServe } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url, {
  databases: [['PostgreSQL', makePostgresDatabase]],
  given: async (_, databaseUrl) => {
    const { role, url } = await makePostgresRole(databaseUrl);
    const { host, pathname } = new URL(url);
    return { '<role>': role, '<as-role>': url, '<server>': host + pathname };
  },
});

const onDatabase = async (t: TestContext) => {
  const url = new URL(await makePostgresDatabase());
  url.password = ROLE_PASSWORD;
  return { url: url.href, options: { cwd: temporaryFolder(t).path, env: { DATABASE_URL: url.href } } };
};

test('keys revoke waits while another session locks the keys, prints that it waits, and succeeds', async (t) => {
  const { url, options } = await onDatabase(t);
  await createDatabase(options);
  const created = await run(['keys', 'create', '--account', 'store-1', '--json'], options);
  const other = new pg.Client(url);
  await other.connect();
  await other.query('BEGIN; LOCK TABLE api_keys IN SHARE MODE');
  const revoke = ['keys', 'revoke', JSON.parse(created.stdout).id];
  const { exited, prints, output } = startRunning(t, revoke, options);
  await prints('Waiting for the database', 'stderr');
  await other.query('COMMIT');
  await other.end();
  assert.deepEqual(await exited, [0, null], output.stderr);
});

test('a role serves once migrate has granted it the rights', async (t) => {
  const { url, options } = await onDatabase(t);
  const { role, url: asRole } = await makePostgresRole(url);
  await run(['migrate', '--grant-to', role], options);
  const served = await startServe({ ...options, env: { DATABASE_URL: asRole } });
  assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
  await served.stop();
});
