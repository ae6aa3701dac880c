import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { makePostgresDatabase, makePostgresRole, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, run, start } from '../rig/service/process.ts';

describe('keys on PostgreSQL', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const optionsOn = (url: string) => ({ cwd: folder.path, env: { DATABASE_URL: url } });

  test('a role without the right to make keys gets an error sentence and exit status 1', async () => {
    const url = await makePostgresDatabase();
    await run(['migrate'], optionsOn(url));
    const created = await run(['keys', 'create', '--account', 'store-1', '--json'], optionsOn(url));
    const { role, url: asRole } = await makePostgresRole(url);
    await queryPostgres(url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    for (const args of [
      ['create', '--account', 'a'],
      ['revoke', JSON.parse(created.stdout).id],
    ]) {
      const { status, stdout, stderr } = await run(['keys', ...args], optionsOn(asRole));
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^This user lacks a right: permission denied for table \w+\. /m);
      assert.doesNotMatch(stderr, /Internal error|^ {4}at |hunter2/m);
    }
  });

  test('revoke waits while another session locks the keys, prints that it waits, and succeeds', async () => {
    const url = await makePostgresDatabase();
    await createDatabase(optionsOn(url));
    const created = await run(['keys', 'create', '--account', 'store-1', '--json'], optionsOn(url));
    const { id } = JSON.parse(created.stdout);
    const other = new pg.Client(url);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE api_keys IN SHARE MODE');
    const child = start(['keys', 'revoke', id], optionsOn(url));
    const exited = once(child, 'exit');
    let printed = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
    while (!printed.includes('Waiting for the database')) {
      await Promise.race([once(child.stderr as NodeJS.ReadableStream, 'data'), exited]);
      assert.equal(child.exitCode, null, printed);
    }
    await other.query('COMMIT');
    await other.end();
    assert.deepEqual(await exited, [0, null], printed);
  });
});
