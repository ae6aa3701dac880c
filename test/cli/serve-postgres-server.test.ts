import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { jsonLines } from '../rig/data/json-lines.ts';
import { queryPostgres, ROLE_PASSWORD } from '../rig/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../rig/database/postgres-server.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { startServe } from '../rig/service/process.ts';

const ASYNCHRONOUS = 'commits do not wait for a standby: a failover loses the last acknowledged writes';
const FSYNC_OFF = 'fsync of the database server is off: acknowledged writes can be lost';
const NO_RIGHT = 'could not read whether commits wait for a standby: the role lacks a right';
const WARNING = 40;
const FAILED = 'SELECT 1 FROM pg_stat_archiver WHERE failed_count > 0';

describe('at its start on PostgreSQL, serve logs how durable an acknowledged write is', () => {
  const folder = temporaryFolder();
  let primary: PostgresServer;
  let standby: PostgresServer | undefined;
  let admin: string;

  before(async () => {
    const archive = { archive_mode: 'on', archive_command: "'false'" };
    primary = await startPostgres({ settings: { fsync: 'on', ...archive } });
    admin = `${primary.url}/postgres`;
    await queryPostgres(admin, 'SELECT pg_switch_wal()');
    while ((await queryPostgres(admin, FAILED)).length === 0);
    await queryPostgres(admin, `CREATE ROLE plain LOGIN PASSWORD '${ROLE_PASSWORD}'`);
    await queryPostgres(admin, 'CREATE DATABASE served OWNER plain');
  });
  after(async () => {
    await standby?.stop();
    await primary.stop();
    folder.remove();
  });

  const set = async (sql: string) => {
    await queryPostgres(admin, sql);
    await queryPostgres(admin, 'SELECT pg_reload_conf()');
  };

  const serve = (env: Record<string, string> = {}) => {
    const address = `postgres://plain:${ROLE_PASSWORD}@127.0.0.1:${primary.port}/served`;
    return startServe({ cwd: folder.path, env: { DATABASE_URL: address, OPERATOR_PORT: '0', ...env } });
  };
  async function startLines(env?: Record<string, string>) {
    const served = await serve(env);
    await served.stop();
    return jsonLines(served.logged());
  }
  async function replication(): Promise<string[]> {
    const served = await serve();
    const read = async () =>
      (await (await fetch(`${served.operatorUrl}/metrics`)).text()).match(
        /^transactions_(?:standby|idle_slot|archive)_\w+.*(?= )/gm,
      );
    let lines = await read();
    while (lines === null) lines = await read();
    await served.stop();
    return lines;
  }
  const warningsOf = async (env?: Record<string, string>) =>
    (await startLines(env))
      .filter(({ level, migration }) => level === WARNING && migration === undefined)
      .map(({ msg }) => msg)
      .filter((msg) => msg !== 'created a new database');

  test('a single server: no warning; the start line says that the connection is in plain text', async () => {
    assert.deepEqual(await warningsOf(), []);
    const listening = (await startLines()).find(({ msg }) => msg === 'listening');
    assert.equal(listening?.['encrypted'], false);
  });

  test('a server without fsync: a warning', async () => {
    await set('ALTER SYSTEM SET fsync = off');
    assert.deepEqual(await warningsOf(), [FSYNC_OFF]);
    await set('ALTER SYSTEM SET fsync = on');
  });

  test('standbys that commits do not wait for: a warning, whatever the rights of the role; with pg_monitor, also their lag', async () => {
    standby = await startPostgres({ standbyOf: primary, settings: { cluster_name: "'standby_1'" } });
    const senders = 'SELECT 1 FROM pg_stat_replication';
    while ((await queryPostgres(admin, senders)).length === 0);
    assert.deepEqual(await warningsOf(), [ASYNCHRONOUS]);
    assert.deepEqual(await warningsOf({ ASYNCHRONOUS_STANDBYS: 'accepted' }), []);
    await set("ALTER SYSTEM SET synchronous_standby_names = 'standby_1'");
    assert.deepEqual(await warningsOf(), []);
    for (const level of ['local', 'off']) {
      await queryPostgres(admin, `ALTER ROLE plain SET synchronous_commit = ${level}`);
      assert.deepEqual(await warningsOf(), [ASYNCHRONOUS], level);
    }
    await queryPostgres(admin, 'ALTER ROLE plain RESET synchronous_commit');
    assert.deepEqual(await replication(), ['transactions_archive_failing']);
    await queryPostgres(admin, 'GRANT pg_monitor TO plain');
    assert.deepEqual(await replication(), [
      'transactions_standby_behind_bytes{standby="standby_1"}',
      'transactions_archive_failing',
    ]);
    await queryPostgres(admin, 'REVOKE pg_monitor FROM plain');
  });

  test('a disconnected standby with a slot: a warning, and how much of the log the slot keeps', async () => {
    await set('ALTER SYSTEM RESET synchronous_standby_names');
    await standby?.stop();
    standby = undefined;
    while ((await queryPostgres(admin, 'SELECT 1 FROM pg_stat_replication')).length > 0);
    assert.deepEqual(await warningsOf(), []);
    await queryPostgres(admin, "SELECT pg_create_physical_replication_slot('standby_1')");
    assert.deepEqual(await warningsOf(), [ASYNCHRONOUS]);
    assert.deepEqual(await replication(), [
      'transactions_idle_slot_kept_bytes{slot="standby_1"}',
      'transactions_archive_failing',
    ]);
  });

  test('a role that cannot read the catalog: a warning, and the service starts', async () => {
    await queryPostgres(`${primary.url}/served`, 'REVOKE SELECT ON pg_replication_slots FROM PUBLIC');
    assert.deepEqual(await warningsOf(), [NO_RIGHT]);
  });
});
