import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { tagged } from '../rig/database/isolation.ts';
import { makePostgresDatabase, makePostgresRole, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import { newerProgram } from '../rig/service/newer-program.ts';
import { createKey, type RunOptions, run, runAll, startServe, walkList } from '../rig/service/process.ts';

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
  writeFileSync(join(cwd, 'audit.ndjson'), '{"id":"au_');
  const older: RunOptions = { cwd, env };
  assert.equal((await run(['import', 'payments.csv'], older)).status, 0);
  return { cwd, older, newer: { ...older, binary } };
}

const WEBHOOK = ['we_0000000000000000', '--account', 'store-1'];
/** Every other command that opens the database. */
const DO_NOT_MIGRATE: readonly (readonly string[])[] = [
  ['accounts'],
  ['show', 'pay_1'],
  ['keys', 'create', '--account', 'store-1'],
  ['keys', 'list'],
  ['keys', 'roll', 'key_0000000000000000'],
  ['keys', 'revoke', 'key_0000000000000000'],
  ['sessions', 'create', '--account', 'store-1', '--person', 'ada'],
  ['sessions', 'list', '--account', 'store-1'],
  ['sessions', 'end', '--account', 'store-1', '--person', 'ada'],
  ['access', '--account', 'store-1'],
  ['webhooks', 'create', '--account', 'store-1', '--url', 'https://receiver.example/'],
  ['webhooks', 'list', '--account', 'store-1'],
  ['webhooks', 'update', ...WEBHOOK, '--disable'],
  ['webhooks', 'delete', ...WEBHOOK],
  ['webhooks', 'failures', ...WEBHOOK],
  ['webhooks', 'retry', ...WEBHOOK, '1'],
  ['webhooks', 'replay', ...WEBHOOK, '--after', '0'],
  ['webhooks', 'test', ...WEBHOOK],
  ['webhooks', 'rotate-secret', ...WEBHOOK],
  ['seals'],
  ['sessions', 'list', '--account', 'store-1'],
  ['access', '--account', 'store-1'],
  ['audit'],
  ['audit', 'repeat', 'audit.ndjson'],
  ['archive', '--before', '2026-01-01', '--to', 'archived'],
  ['erase', '--account', 'store-1', '--yes'],
];

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

    test('is not changed by a command that does not migrate, which says what to do', async (t) => {
      const { newer, older } = await recorded(t, await environment());
      const outcomes = await runAll(
        DO_NOT_MIGRATE.map((args) => ({ args })),
        newer,
      );
      outcomes.forEach(({ status, stdout, stderr }, index) => {
        const command = DO_NOT_MIGRATE[index]?.join(' ');
        assert.deepEqual([status, stdout], [1, ''], command);
        assert.match(
          stderr,
          /its schema is older than this program's\. Run .*"transactions migrate".*Missing: 2 made-up\.\n$/,
          command,
        );
      });
      assert.equal((await run(['accounts'], older)).status, 0);
      assert.equal((await run(['migrate', '--dry-run'], older)).stdout, 'The schema is up to date.\n');
    });

    test('is a case of that test for every command of the help', async (t) => {
      const { older } = await recorded(t);
      const known = new Set(DO_NOT_MIGRATE.flatMap(([first, second]) => [first, `${first} ${second}`]));
      const elsewhere = [
        'serve',
        'import',
        'migrate',
        'verify',
        'backup',
        'doctor',
        'reopen',
        'webhooks listen',
      ];
      for (const group of [[], ['keys'], ['sessions'], ['webhooks'], ['audit']]) {
        const { stdout } = await run([...group, '--help'], older);
        const [section = ''] = /^Commands(?: that open the database.*)?:\n(?: {2}.*\n)+/m.exec(stdout) ?? [];
        const names = [...section.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => [...group, name].join(' '));
        assert.ok(names.length > 0, stdout);
        for (const name of names)
          assert.ok(known.has(name) || elsewhere.includes(name) || name.endsWith(' help'), name);
      }
    });

    test('is migrated by an import, which says so', async (t) => {
      const { newer } = await recorded(t, await environment());
      const { status, stderr } = await run(['import', 'payments.csv'], newer);
      assert.equal(status, 0);
      assert.match(stderr, /^Applied migration 2 made-up\.$/m);
      assert.equal((await run(['accounts'], newer)).status, 0);
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

    test('is copied only after it is migrated, and not changed by a copy into it', async (t) => {
      const { newer, older } = await recorded(t, await environment());
      const from = newer.env?.['DATABASE_URL'] ?? 'sqlite:data/transactions.db';
      const copy = (to = 'target.db') => run(['copy', '--from', from, '--to', `sqlite:${to}`], newer);
      const { status, stdout, stderr } = await copy();
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(
        stderr,
        /^The source needs the migrations 2 made-up\. Run "transactions migrate" on it first\.\n$/,
      );
      assert.equal((await run(['migrate'], newer)).status, 0);
      const target = { ...older, env: { DATABASE_URL: 'sqlite:target.db' } };
      assert.equal((await run(['migrate'], target)).status, 0);
      const refused = await copy();
      assert.equal(refused.status, 1);
      assert.match(
        refused.stderr,
        /^The target is not empty, and its schema is older .* Missing: 2 made-up\.$/m,
      );
      assert.equal((await run(['migrate', '--dry-run'], target)).stdout, 'The schema is up to date.\n');
      assert.equal((await copy('empty.db')).status, 0);
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
