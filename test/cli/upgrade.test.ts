import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { csvFile, csvLine } from '../rig/csv.ts';
import { newerProgram } from '../rig/newer-program.ts';
import { makePostgresDatabase, makePostgresRole, queryPostgres } from '../rig/postgres.ts';
import { type RunOptions, run, startServe } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { someInTier } from '../rig/tier.ts';

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

    test('is verified only after it is migrated', async (t) => {
      const { newer } = await recorded(t, await environment());
      const { status, stdout, stderr } = await run(['verify'], newer);
      assert.deepEqual(
        [status, stdout, stderr],
        [1, '', 'The database needs the migrations 2 made-up. Run "transactions migrate" first.\n'],
      );
      assert.equal((await run(['migrate'], newer)).stdout, 'Applied migration 2 made-up.\n');
      assert.equal((await run(['verify'], newer)).status, 0);
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
