import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { csvFile, csvLine } from '../rig/csv.ts';
import { tagged } from '../rig/isolation.ts';
import { newerProgram } from '../rig/newer-program.ts';
import { makePostgresDatabase, makePostgresRole, queryPostgres } from '../rig/postgres.ts';
import { createKey, type RunOptions, run, startServe, walkList } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { someInTier } from '../rig/tier.ts';

const GUIDE = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8');
/** The commands of the guide that restore a SQLite file. */
const [, RESTORE = ''] = /```\n(mkdir old\n[\s\S]*?)```/.exec(GUIDE) ?? [];

const programs = temporaryFolder();
const binary = newerProgram(programs.path);
after(programs.remove);

/** A database with one transaction, made by this program; and how the newer one is run on it. */
async function recorded(t: { after(end: () => void): void }, env: Record<string, string> = {}) {
  const { path: cwd, remove } = temporaryFolder();
  t.after(remove);
  writeFileSync(join(cwd, 'payments.csv'), csvFile(csvLine()));
  const older: RunOptions = { cwd, env };
  assert.equal((await run(['import', 'payments.csv'], older)).status, 0);
  return { cwd, older, newer: { ...older, binary } };
}

const DATABASES: Record<string, () => Promise<Record<string, string>>> = {
  SQLite: async () => ({}),
  PostgreSQL: async () => ({ DATABASE_URL: await makePostgresDatabase() }),
};

for (const [name, environment] of someInTier(Object.entries(DATABASES), 1)) {
  describe(`a database on ${name} with the schema of an older program`, () => {
    test('is not changed by a dry run of an import, which says that no line was compared', async (t) => {
      const { newer, older } = await recorded(t, await environment());
      const { status, stdout, stderr } = await run(['import', 'payments.csv', '--dry-run'], newer);
      assert.equal(status, 0);
      assert.match(stdout, /1 new/);
      assert.match(stderr, /needs the migrations 2 made-up.*no line was compared/);
      assert.match((await run(['import', 'payments.csv', '--dry-run'], older)).stdout, /1 unchanged/);
    });

    test('is not changed by a dry run of a migration, which prints its SQL', async (t) => {
      const { newer, older } = await recorded(t, await environment());
      for (const _ of ['first', 'again']) {
        const { status, stdout, stderr } = await run(['migrate', '--dry-run'], newer);
        assert.equal(status, 0);
        assert.match(
          stdout,
          /^Would apply migration 2 made-up:\nCREATE TABLE made_up \(number \w+ PRIMARY KEY\);\n$/,
        );
        assert.match(stderr, /Nothing was changed\. How long this takes depends on the data/);
      }
      assert.equal((await run(['migrate', '--dry-run'], older)).stdout, 'The schema is up to date.\n');
      assert.equal((await run(['migrate'], newer)).stdout, 'Applied migration 2 made-up.\n');
      assert.equal((await run(['migrate', '--dry-run'], newer)).stdout, 'The schema is up to date.\n');
    });

    test('is verified and reopened only after it is migrated', async (t) => {
      const { newer } = await recorded(t, await environment());
      for (const command of ['verify', 'reopen']) {
        const { status, stdout, stderr } = await run([command], newer);
        assert.deepEqual(
          [status, stdout, stderr],
          [1, '', 'The database needs the migrations 2 made-up. Run "transactions migrate" on it first.\n'],
        );
      }
      assert.equal((await run(['migrate'], newer)).stdout, 'Applied migration 2 made-up.\n');
      for (const command of ['verify', 'reopen']) assert.equal((await run([command], newer)).status, 0);
    });

    test('is copied only after it is migrated', async (t) => {
      const { newer } = await recorded(t, await environment());
      const from = newer.env?.['DATABASE_URL'] ?? 'sqlite:data/transactions.db';
      const copy = () => run(['copy', '--from', from, '--to', 'sqlite:target.db'], newer);
      const { status, stdout, stderr } = await copy();
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(
        stderr,
        /^The source needs the migrations 2 made-up\. Run "transactions migrate" on it first\.\n$/,
      );
      assert.equal((await run(['migrate'], newer)).status, 0);
      assert.equal((await copy()).status, 0);
    });

    test('is migrated by serve, and then refused by the older program', async (t) => {
      const { newer, older } = await recorded(t, await environment());
      await (await startServe(newer)).stop();
      const { status, stderr } = await run(['serve'], older);
      assert.equal(status, 1);
      assert.match(stderr, /its schema is at version 2 and this program knows up to 1: run a newer program/);
    });
  });
}

test('a database that does not exist is not created by a dry run of a migration', async (t) => {
  const { path: cwd, remove } = temporaryFolder();
  t.after(remove);
  const { status, stdout } = await run(['migrate', '--dry-run'], { cwd, env: {} });
  assert.equal(status, 0);
  assert.match(stdout, /^The database does not exist, or is empty/);
  assert.equal(existsSync(join(cwd, 'data')), false);
});

test('a role that could not migrate fails a dry run', async (t) => {
  const url = await makePostgresDatabase();
  const { newer } = await recorded(t, { DATABASE_URL: url });
  const { role, url: asRole } = await makePostgresRole(url);
  await queryPostgres(url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  const { status, stderr } = await run(['migrate', '--dry-run'], { ...newer, env: { DATABASE_URL: asRole } });
  assert.equal(status, 1);
  assert.match(stderr, /lacks rights to migrate: .*ownership of transactions/);
});

test('the older program serves the backup that was made before an upgrade', async (t) => {
  const { cwd, older, newer } = await recorded(t);
  const key = await createKey('store-1', older);
  const served = await startServe(older);
  const before = await walkList(served.url, key);
  assert.equal((await run(['backup', 'backup.db'], older)).status, 0);
  assert.equal((await run(['migrate'], newer)).status, 0);
  // The older program goes on until it is replaced.
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

test('a role that does not own the tables is refused in a dry run of an import that would have to migrate them', async (t) => {
  const url = await makePostgresDatabase();
  const { newer } = await recorded(t, { DATABASE_URL: url });
  const { role, url: asRole } = await makePostgresRole(url);
  await queryPostgres(url, `GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${role}`);
  const { stderr } = await run(['import', 'payments.csv', '--dry-run'], {
    ...newer,
    env: { DATABASE_URL: asRole },
  });
  assert.match(stderr, /^An import would fail: .* lacks .*ownership of transactions/m);
});
