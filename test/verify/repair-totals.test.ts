import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { contentsOf } from '../rig/store/copy.ts';
import { recordHealthy, type VerifiedStore, verifyDatabase } from '../verify/healthy-database.ts';

/** The steps of the guide, for each database. */
const [, STEPS = ''] = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8').split(
  '### If it finds something',
);
const [SQLITE = '', POSTGRES = ''] = [...STEPS.matchAll(/```\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);

const DAMAGE = `UPDATE daily_totals SET count = count + 1 WHERE account = 'store-1' AND day = 20553;
DELETE FROM daily_totals WHERE account = 'store-1' AND status = 'pending';
UPDATE daily_totals SET currency_code = 'CHF' WHERE account = 'store-1' AND status = 'refunded'`;

async function isRepaired(url: string, execute: (sql: string) => unknown, steps: string): Promise<void> {
  const { store } = await openStore(url, Date.now);
  await recordHealthy(store as VerifiedStore);
  // More than 64 bits have.
  const most = { amountMinor: 999_999_999_999_999 };
  for (let from = 0; from < 10_000; from += 1000)
    await record(
      store,
      Array.from({ length: 1000 }, (_, nth) => transaction('store-1', `most-${from + nth}`, most)),
    );
  await store.close();
  const before = await contentsOf(url);
  await execute(DAMAGE);
  const { disagreements } = await verifyDatabase(url);
  assert.deepEqual([...new Set(disagreements.map(({ check }) => check))], ['totals']);
  await execute(steps);
  assert.deepEqual((await verifyDatabase(url)).lines, []);
  assert.deepEqual(await contentsOf(url), before);
}

test('wrong totals on SQLite are made again from their transactions by the steps of the guide', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const execute = (sql: string) => {
    const db = new DatabaseSync(`${folder.path}/a.db`);
    db.exec(sql);
    db.close();
  };
  await isRepaired(`sqlite:${folder.path}/a.db`, execute, SQLITE);
});

test('wrong totals on PostgreSQL are made again from their transactions by the steps of the guide', async () => {
  const url = await makeMigratedDatabase();
  await isRepaired(url, (sql) => queryPostgres(url, sql), POSTGRES);
});
