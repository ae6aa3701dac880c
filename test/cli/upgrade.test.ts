import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { tagged } from '../rig/database/isolation.ts';
import { makePostgresDatabase, makePostgresRole, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { newerProgram } from '../rig/service/newer-program.ts';
import { createKey, type RunOptions, run, runProgram, startServe, walkList } from '../rig/service/process.ts';
import { DATABASES } from '../rig/transcript/databases.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const GUIDE = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8');
const [, RESTORE = ''] = /\*Clone:\*\n\n```\n([\s\S]*?)```/.exec(GUIDE) ?? [];

const programs = temporaryFolder();
const binary = newerProgram(programs.path);
after(programs.remove);

async function recorded(t: TestContext, env: Record<string, string> = {}) {
  const { path: cwd } = temporaryFolder(t);
  writeFileSync(join(cwd, 'payments.csv'), csvFile(csvLine()));
  const older: RunOptions = { cwd, env };
  assert.equal((await run(['import', 'payments.csv'], older)).status, 0);
  return { cwd, older, newer: { ...older, binary } };
}

const newer = (args: readonly string[], options: RunOptions) => runProgram(args, { ...options, binary });
transcript(import.meta.url, { databases: DATABASES, commands: { newer } });

test('a service migrates a database', async (t) => {
  const { older, newer } = await recorded(t);
  await (await startServe(newer)).stop();
  assert.equal((await run(['migrate', '--dry-run'], newer)).stdout, 'The schema is up to date.\n');
  assert.equal((await run(['accounts'], older)).status, 1);
});

test('a role that could not migrate fails a dry run, also of an import', async (t) => {
  const url = await makePostgresDatabase();
  const { newer } = await recorded(t, { DATABASE_URL: url });
  const { role, url: asRole } = await makePostgresRole(url);
  await queryPostgres(url, `GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${role}`);
  const inDryRun = (...args: string[]) =>
    run([...args, '--dry-run'], { ...newer, env: { DATABASE_URL: asRole } });
  const migrated = await inDryRun('migrate');
  assert.equal(migrated.status, 1);
  assert.match(migrated.stderr, /lacks rights to migrate: .*ownership of transactions/);
  const { stderr } = await inDryRun('import', 'payments.csv');
  assert.match(stderr, /^An import would fail: .* lacks .*ownership of transactions/m);
});

test('the older program serves the backup that was made before an upgrade', async (t) => {
  const { cwd, older, newer } = await recorded(t);
  const key = await createKey('store-1', older);
  const served = await startServe(older);
  const before = await walkList(served.url, key);
  assert.equal((await run(['backup', 'backup.db'], older)).status, 0);
  assert.equal((await run(['migrate'], newer)).status, 0);
  assert.deepEqual(await walkList(served.url, key), before);
  await served.stop();
  writeFileSync(join(cwd, 'more.csv'), csvFile(csvLine({ reference: tagged('store-1', 'more') })));
  assert.equal((await run(['import', 'more.csv'], newer)).status, 0);
  assert.equal((await run(['serve'], older)).status, 1);

  execFileSync('sh', ['-ec', RESTORE], { cwd });
  const again = await startServe(older);
  assert.deepEqual(await walkList(again.url, key), before);
  await again.stop();
  assert.equal((await run(['verify'], older)).status, 0);
});

test('a backup of a database with an older schema is made before it is migrated', async (t) => {
  const { cwd, newer } = await recorded(t);
  const { status, stdout } = await run(['backup', 'backup.db'], newer);
  assert.equal(status, 0);
  assert.match(
    stdout,
    /\nChecked its pages and indexes \(PRAGMA integrity_check\)\. .*needs the migrations 2 made-up/,
  );
  assert.ok(readFileSync(join(cwd, 'backup.db')).length > 0);
});
