import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { transaction } from '../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import { buildTestApp } from '../rig/service/app.ts';

const LARGEST_MINOR = 999_999_999_999_999;
/** The sum of this many transactions with the largest amount is more than 2^64. */
const COUNT = 19_000;
const BATCH = 1000;
const SUM = BigInt(COUNT) * BigInt(LARGEST_MINOR);
assert.ok(SUM > 2n ** 64n);

/** Half of the rows are positive in one currency, half negative in another. */
async function importLargest(store: Store): Promise<void> {
  const connection = await store.openImport();
  for (let from = 0; from < COUNT; from += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, index) => transaction('store-1', `r${from + index}`));
    const { outcomes } = await connection.recordTransactions([
      ...rows.map((row) => ({ ...row, amountMinor: LARGEST_MINOR })),
      ...rows.map((row) => ({
        ...row,
        reference: `${row.reference}.negative`,
        amountMinor: -LARGEST_MINOR,
        currencyCode: 'USD',
      })),
    ]);
    assert.ok(outcomes.every(({ outcome }) => outcome === 'recorded'));
  }
  await connection.close();
}

async function check(t: TestContext, databaseUrl: string): Promise<void> {
  const { store } = await openStore(databaseUrl, Date.now, { timeoutMs: GIVE_UP_MS, connections: 2 });
  t.after(() => store.close());
  const app = await buildTestApp({ store });
  const key = await app.makeKey('store-1');
  await importLargest(store);
  const amount = `${SUM / 100n}.${String(SUM % 100n).padStart(2, '0')}`;
  const expected = {
    data: [
      { currencyCode: 'EUR', status: 'completed', count: COUNT, amount },
      { currencyCode: 'USD', status: 'completed', count: COUNT, amount: `-${amount}` },
    ],
    asOf: 2 * COUNT,
    asOfId: (await app.send(`/v1/changes?after=${2 * COUNT}`, { key })).body.lastId,
  };
  const byDay = { ...expected, data: expected.data.map((row) => ({ day: '2026-03-01', ...row })) };
  assert.deepEqual((await app.send('/v1/totals', { key })).body, expected);
  assert.deepEqual((await app.send('/v1/totals?by=day', { key })).body, byDay);
}

const DATABASES = {
  SQLite: async (t: TestContext) => {
    const folder = temporaryFolder();
    t.after(folder.remove);
    return `sqlite:${folder.path}/large.db`;
  },
  PostgreSQL: () => makeMigratedDatabase(),
};

for (const [name, makeDatabase] of someInTier(Object.entries(DATABASES), 1))
  test(`totals on ${name} are exact beyond 64 bits`, async (t) => {
    await check(t, await makeDatabase(t));
  });
