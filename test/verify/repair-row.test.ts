import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { OLDEST_VERSION } from '../../src/db/postgres/driver/connect.ts';
import { openStore } from '../../src/store/open-store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { tagged } from '../rig/database/isolation.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { oldestIsMissing } from '../rig/database/postgres-versions.ts';
import { missing } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { assertVerified, contentsOf } from '../rig/store/copy.ts';
import { verifyDatabase } from '../verify/healthy-database.ts';

const LOST = tagged('store-1', 'pay_000003');
/** The steps of the guide: for SQLite, and for PostgreSQL the comparison and the copy. */
const [, STEPS = ''] = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8').split(
  '### A single transaction from a backup',
);
const [SQLITE = '', COMPARE = '', COPY = ''] = [...STEPS.matchAll(/```\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block.replaceAll('pay_000003', LOST),
);

const names = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `pay_${String(from + index).padStart(6, '0')}`);

async function recordNamed(url: string, from: number, count: number): Promise<void> {
  const { store } = await openStore(url, Date.now);
  await record(
    store,
    names(from, count).map((name) => transaction('store-1', name)),
  );
  await store.close();
}

const DAMAGES: Record<string, string> = {
  'that is lost': `DELETE FROM transactions WHERE reference = '${LOST}'`,
  'whose number is wrong': `UPDATE transactions SET final_sequence = 99 WHERE reference = '${LOST}'`,
};

interface Backed {
  url: string;
  backUp(): Promise<string>;
  execute(sql: string): Promise<unknown>;
  /** Runs the steps. */
  repair(backup: string): void;
}

/** A database with five transactions, its backup, and two more since. */
async function repairs({ url, backUp, execute, repair }: Backed, damage: string): Promise<void> {
  await recordNamed(url, 1, 5);
  const backup = await backUp();
  await recordNamed(url, 6, 2);
  const before = await contentsOf(url);
  await execute(damage);
  const { disagreements } = await verifyDatabase(url);
  assert.ok(disagreements.some(({ check }) => check === 'numbers'));
  repair(backup);
  assert.deepEqual(await contentsOf(url), before);
  await assertVerified(url);
}

describe('a single transaction', () => {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    test(`${name} comes from a backup on SQLite`, { skip: missing('sqlite3') }, async (t) => {
      const folder = temporaryFolder();
      t.after(folder.remove);
      const path = `${folder.path}/live.db`;
      const execute = (sql: string) => {
        const db = new DatabaseSync(path);
        db.exec(sql);
        db.close();
      };
      await repairs(
        {
          url: `sqlite:${path}`,
          backUp: async () => {
            copyFileSync(path, `${folder.path}/backup.db`);
            return `${folder.path}/backup.db`;
          },
          execute: async (sql) => execute(sql),
          repair: (backup) => {
            // With the program of Debian, which is older than the SQLite of the service; other guides run VACUUM with it.
            const input = `${SQLITE.replace('backup.db', backup)}COMMIT; VACUUM;`;
            execFileSync('sqlite3', ['-bail', path], { input });
          },
        },
        damage,
      );
    });

    test(`${name} comes from a backup on PostgreSQL`, { skip: oldestIsMissing }, async (t) => {
      const folder = temporaryFolder();
      t.after(folder.remove);
      const url = await makeMigratedDatabase();
      const path = `/usr/lib/postgresql/${OLDEST_VERSION}/bin${delimiter}${process.env['PATH']}`;
      await repairs(
        {
          url,
          backUp: () => makePostgresDatabase(undefined, new URL(url).pathname.slice(1)),
          execute: (sql) => queryPostgres(url, sql),
          repair: (backup) => {
            const env = { PATH: path, BACKUP_URL: backup, DATABASE_URL: url };
            const sh = (script: string) =>
              execFileSync('sh', ['-ec', script], { cwd: folder.path, env, encoding: 'utf8' });
            const [ours, theirs] = sh(COMPARE).trim().split('\n');
            assert.equal(ours, theirs);
            sh(COPY);
          },
        },
        damage,
      );
    });
  }

  test('of another history is not copied on SQLite', async (t) => {
    const folder = temporaryFolder();
    t.after(folder.remove);
    const [path, other] = [`${folder.path}/live.db`, `${folder.path}/other.db`];
    for (const file of [path, other]) await recordNamed(`sqlite:${file}`, 1, 5);
    const db = new DatabaseSync(path);
    db.exec(SQLITE.replace('backup.db', other));
    assert.equal(db.prepare('SELECT changes() AS copied').get()?.['copied'], 0);
    db.close();
  });
});
