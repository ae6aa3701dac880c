import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { OLDEST_VERSION } from '../../src/db/postgres/driver/connect.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { makePostgresDatabase, oldestPostgresUrl, queryPostgres } from '../rig/database/postgres.ts';
import { oldestIsMissing } from '../rig/database/postgres-versions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { nightlyBackups, runNightlyBackup } from '../rig/service/nightly-backup.ts';
import { createKey, importCsv, run, startServe, walkList } from '../rig/service/process.ts';

const GUIDE = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8');
const [, RESTORE = ''] = /```\n(createdb [\s\S]*?)```/.exec(GUIDE) ?? [];
const ADDRESS = 'postgres://transactions@db.example:5432/transactions';

test('backup on PostgreSQL prints the commands with which the guide restores it', () => {
  const printed = readFileSync(new URL('./backup.txt', import.meta.url), 'utf8');
  assert.ok(RESTORE.includes('pg_restore '));
  for (const line of RESTORE.trim().split('\n')) assert.ok(printed.includes(`\n!   ${line}\n`), line);
});

test('the printed commands and the nightly backup make backups that the commands of the guide restore', {
  skip: oldestIsMissing,
}, async (t) => {
  const folder = temporaryFolder(t);
  const server = await oldestPostgresUrl();
  const made = await makePostgresDatabase(server);
  const name = new URL(made).pathname.slice(1);
  const owner = `${name}_owner`;
  await queryPostgres(`${server}/postgres`, `CREATE ROLE ${owner} LOGIN NOCREATEDB`);
  await queryPostgres(`${server}/postgres`, `ALTER DATABASE ${name} OWNER TO ${owner}`);
  const url = made.replace(/\/\/[^@]*@/, `//${owner}@`);
  const restored = `${url}_restored`;
  t.after(async () => {
    for (const database of [name, `${name}_restored`])
      await queryPostgres(`${server}/postgres`, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await queryPostgres(`${server}/postgres`, `DROP ROLE ${owner}`);
  });
  const optionsOf = (databaseUrl: string) => ({ cwd: folder.path, env: { DATABASE_URL: databaseUrl } });
  // The backup must leave this extension out, because only a superuser can create it.
  await queryPostgres(
    made,
    `CREATE EXTENSION amcheck; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${owner}`,
  );
  await importCsv(sampleCsv(500), optionsOf(url));
  const key = await createKey('store-1', optionsOf(url));
  const walk = async (databaseUrl: string) => {
    const served = await startServe(optionsOf(databaseUrl), t);
    return walkList(served.url, key);
  };
  const before = await walk(url);
  const script = (commands: string) =>
    commands
      .replaceAll(ADDRESS, url)
      .replaceAll(ADDRESS.replace(/\w+$/, 'NEW_DATABASE'), restored)
      .replaceAll(ADDRESS.replace('transactions@', 'ADMINISTRATOR@'), made)
      .replaceAll(/postgres:\/\/ADMINISTRATOR@\S+\/NEW_DATABASE/g, `${made}_restored`)
      .replaceAll(/(--owner=|TO )transactions/g, `$1${owner}`)
      .replaceAll('NEW_DATABASE', `${name}_restored`);
  const PATH = `/usr/lib/postgresql/${OLDEST_VERSION}/bin${delimiter}${process.env['PATH']}`;
  const shell = (commands: string) =>
    execFileSync('sh', ['-ec', script(commands)], { cwd: folder.path, env: { PATH } });
  const printed = await run(['backup', 'transactions.dump'], optionsOf(url));
  execFileSync('sh', ['-e'], { cwd: folder.path, env: { PATH }, input: printed.stdout });
  assert.equal(statSync(join(folder.path, 'transactions.dump')).mode & 0o777, 0o600);
  const nightly = runNightlyBackup(folder.path, { path: PATH, databaseUrl: url });
  assert.deepEqual([nightly.status, nightlyBackups(folder.path).length], [0, 1], nightly.stderr);
  copyFileSync(
    join(folder.path, 'backups', nightlyBackups(folder.path)[0] as string),
    join(folder.path, 'transactions.dump'),
  );
  shell(RESTORE);
  const verified = await run(['verify', '--require-indexes'], optionsOf(restored));
  assert.match(verified.stdout, /, 500 transactions, .*: no disagreement\.\n/);
  assert.equal(verified.status, 0);
  assert.deepEqual(await walk(restored), before);
  assert.ok(before.length > 200);
});
