import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
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
import { recordHealthy, type VerifiedStore, verifyDatabase } from './healthy-database.ts';

const GUIDE = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8');
const LOST = tagged('store-1', 'pay_000003');
const stepsOf = (heading: string): string[] =>
  [...(GUIDE.split(`### ${heading}`)[1] ?? '').matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) =>
    block.replaceAll('pay_000003', LOST),
  );
const [SQLITE_ROW = '', COMPARE = '', COPY = ''] = stepsOf('A single transaction from a backup');
const [SQLITE_TOTALS = '', POSTGRES_TOTALS = ''] = stepsOf('If it finds something');

interface Repaired {
  url: string;
  backUp(): Promise<string>;
  execute(sql: string): Promise<unknown>;
  repairRow(backup: string): void;
  totals: string;
}

interface Database {
  skip: string | false;
  make(t: TestContext): Promise<Repaired>;
}

const DATABASES: Readonly<Record<string, Database>> = {
  SQLite: {
    skip: missing('sqlite3'),
    make: async (t) => {
      const folder = temporaryFolder(t);
      const [path, backup] = [`${folder.path}/live.db`, `${folder.path}/backup.db`];
      return {
        url: `sqlite:${path}`,
        backUp: async () => {
          copyFileSync(path, backup);
          return backup;
        },
        execute: async (sql) => {
          using db = new DatabaseSync(path);
          db.exec(sql);
        },
        repairRow: () => {
          const input = `${SQLITE_ROW.replace('backup.db', backup)}COMMIT; VACUUM;`;
          execFileSync('sqlite3', ['-bail', path], { input });
        },
        totals: SQLITE_TOTALS,
      };
    },
  },
  PostgreSQL: {
    skip: oldestIsMissing,
    make: async (t) => {
      const cwd = temporaryFolder(t).path;
      const url = await makeMigratedDatabase();
      const PATH = `/usr/lib/postgresql/${OLDEST_VERSION}/bin${delimiter}${process.env['PATH']}`;
      return {
        url,
        backUp: () => makePostgresDatabase(undefined, new URL(url).pathname.slice(1)),
        execute: (sql) => queryPostgres(url, sql),
        repairRow: (backup) => {
          const env = { PATH, BACKUP_URL: backup, DATABASE_URL: url };
          const sh = (script: string) => execFileSync('sh', ['-ec', script], { cwd, env, encoding: 'utf8' });
          const [ours, theirs] = sh(COMPARE).trim().split('\n');
          assert.equal(ours, theirs);
          sh(COPY);
        },
        totals: POSTGRES_TOTALS,
      };
    },
  },
};

async function withStore(url: string, work: (store: VerifiedStore) => Promise<void>): Promise<void> {
  const { store } = await openStore(url, Date.now);
  await work(store as VerifiedStore).finally(() => store.close());
}

const recordNamed = (url: string, from: number, count: number) =>
  withStore(url, (store) =>
    record(
      store,
      Array.from({ length: count }, (_, index) =>
        transaction('store-1', `pay_${String(from + index).padStart(6, '0')}`),
      ),
    ),
  );

const checksOf = async (url: string) =>
  new Set((await verifyDatabase(url)).disagreements.map(({ check }) => check));

const DAMAGES: Readonly<Record<string, string>> = {
  'that is lost': `DELETE FROM transactions WHERE reference = '${LOST}'`,
  'whose number is wrong': `UPDATE transactions SET final_sequence = 99 WHERE reference = '${LOST}'`,
};
const WRONG_TOTALS = `UPDATE daily_totals SET count = count + 1 WHERE account = 'store-1' AND day = 20553;
DELETE FROM daily_totals WHERE account = 'store-1' AND status = 'pending';
UPDATE daily_totals SET currency_code = 'CHF' WHERE account = 'store-1' AND status = 'refunded'`;

for (const [name, { skip, make }] of Object.entries(DATABASES)) {
  for (const [what, damage] of Object.entries(DAMAGES))
    test(`a single transaction ${what} is repaired from a backup on ${name}`, { skip }, async (t) => {
      const { url, backUp, execute, repairRow } = await make(t);
      await recordNamed(url, 1, 5);
      const backup = await backUp();
      await recordNamed(url, 6, 2);
      const before = await contentsOf(url);
      await execute(damage);
      assert.ok((await checksOf(url)).has('numbers'));
      repairRow(backup);
      assert.deepEqual(await contentsOf(url), before);
      await assertVerified(url);
    });

  test(`wrong totals on ${name} are computed again from their transactions`, { skip }, async (t) => {
    const { url, execute, totals } = await make(t);
    await withStore(url, async (store) => {
      await recordHealthy(store);
      const most = { amountMinor: 999_999_999_999_999 };
      for (let from = 0; from < 10_000; from += 1000)
        await record(
          store,
          Array.from({ length: 1000 }, (_, nth) => transaction('store-1', `most-${from + nth}`, most)),
        );
    });
    const before = await contentsOf(url);
    await execute(WRONG_TOTALS);
    assert.deepEqual(await checksOf(url), new Set(['totals']));
    await execute(totals);
    assert.deepEqual((await verifyDatabase(url)).lines, []);
    assert.deepEqual(await contentsOf(url), before);
  });
}

test('a single transaction of another history is not copied on SQLite', async (t) => {
  const folder = temporaryFolder(t);
  const [path, other] = [`${folder.path}/live.db`, `${folder.path}/other.db`];
  for (const file of [path, other]) await recordNamed(`sqlite:${file}`, 1, 5);
  using db = new DatabaseSync(path);
  db.exec(SQLITE_ROW.replace('backup.db', other));
  assert.equal(db.prepare('SELECT changes() AS copied').get()?.['copied'], 0);
});
