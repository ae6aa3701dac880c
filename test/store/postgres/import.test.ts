import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NO_FILTER } from '../../../src/core/list-filter.ts';
import type { ImportConflict, ImportCounts, ImportedTransaction, Store } from '../../../src/core/store.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { askPostgres, makePostgresDatabase } from '../../rig/postgres.ts';
import { fc } from '../../rig/properties.ts';
import { transaction } from '../../rig/transactions.ts';

let url: string;
let store: Store;

before(async () => {
  url = await makePostgresDatabase();
  ({ store } = await openStore(url, Date.now));
});

after(() => store.close());

interface Outcome {
  counts: ImportCounts;
  conflicts: ImportConflict[];
}

async function importInto(
  into: Store,
  lines: readonly ImportedTransaction[],
  commit: (counts: ImportCounts) => boolean = () => true,
): Promise<Outcome> {
  const session = await into.beginImport();
  const half = Math.ceil(lines.length / 2);
  await session.stage(lines.slice(0, half));
  await session.stage(lines.slice(half));
  const conflicts: ImportConflict[] = [];
  const onConflict = async (conflict: ImportConflict) => {
    conflicts.push(conflict);
  };
  const counts = await session.merge({ onConflict, onProgress: () => {}, commit });
  return { counts, conflicts };
}

const rows = () => askPostgres(url, 'SELECT * FROM transactions ORDER BY account, reference');

/** Few accounts, references, times and amounts, so that lines repeat, advance and contradict each other. */
const line: fc.Arbitrary<Omit<ImportedTransaction, 'line'>> = fc
  .record({
    account: fc.constantFrom('a', 'B'),
    name: fc.constantFrom('x', 'y', 'Z'),
    status: fc.constantFrom('pending', 'pending', 'completed', 'failed'),
    createdAtMs: fc.constantFrom(1000, 1000, 1000, 2000),
    amountMinor: fc.constantFrom(5, 5, 5, -7),
    merchantReference: fc.constantFrom(null, null, 'm\\N\\t', 'straße "1", 2'),
    paidAtMs: fc.constantFrom(3000, 3000, 4000),
  })
  .map(({ account, name, status, paidAtMs, ...fields }) =>
    transaction(account, name, { ...fields, status, paidAtMs: status === 'completed' ? paidAtMs : null }),
  );

test('any sequence of imports has the counts, the conflicts and the rows that SQLite has', async () => {
  const lines = fc.array(line, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(lines, fc.boolean()), { minLength: 1, maxLength: 3 }),
      async (imports) => {
        await askPostgres(url, 'TRUNCATE transactions');
        const { store: sqlite } = await openStore(IN_MEMORY_URL, Date.now);
        for (const [given, committed] of imports) {
          const numbered = given.map((one, index) => ({ ...one, line: index + 1 }));
          const expected = await importInto(sqlite, numbered, () => committed);
          assert.deepEqual(await importInto(store, numbered, () => committed), expected);
        }
        for (const account of ['a', 'B']) {
          const question = {
            account,
            filter: NO_FILTER,
            after: null,
          };
          assert.deepEqual(
            (await store.listTransactions(question, 100)).transactions,
            (await sqlite.listTransactions(question, 100)).transactions,
          );
        }
        await sqlite.close();
      },
    ),
    { numRuns: 150 },
  );
});

test('an import that is not committed, or whose connection is lost, leaves nothing', async () => {
  await askPostgres(url, 'TRUNCATE transactions');
  const lines = [{ ...transaction('a', 'x'), line: 1 }];
  await importInto(store, lines, () => false);
  assert.deepEqual(await rows(), []);

  const { store: other } = await openStore(url, Date.now);
  const session = await other.beginImport();
  await session.stage(lines);
  await other.close();
  await assert.rejects(
    session.merge({ onConflict: async () => {}, onProgress: () => {}, commit: () => true }),
    {
      name: 'StoreUnavailable',
    },
  );
  assert.deepEqual(await rows(), []);
});

test('a server that ends an import on its way makes it fail as unavailable, and leaves nothing', async () => {
  await askPostgres(url, 'TRUNCATE transactions');
  const session = await store.beginImport();
  await session.stage([{ ...transaction('a', 'x'), line: 1 }]);
  const database = new URL(url).pathname.slice(1);
  await askPostgres(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND query LIKE 'COPY%'`,
    [database],
  );
  await assert.rejects(
    session.merge({ onConflict: async () => {}, onProgress: () => {}, commit: () => true }),
    {
      name: 'StoreUnavailable',
    },
  );
  assert.deepEqual(await rows(), []);
});

test('two machines that import the same lines at once record each of them once', async () => {
  await askPostgres(url, 'TRUNCATE transactions');
  const lines = Array.from({ length: 3000 }, (_, index) => ({
    ...transaction('a', String(index % 2000), { status: index % 3 === 0 ? 'pending' : 'completed' }),
    line: index + 1,
  })).filter(({ line: number }) => number <= 2000);
  const outcomes = await Promise.all([importInto(store, lines), importInto(store, lines.toReversed())]);
  const total = (of: keyof ImportCounts) => outcomes.reduce((sum, { counts }) => sum + counts[of], 0);
  assert.deepEqual([total('recorded'), total('unchanged'), total('conflicts')], [2000, 2000, 0]);
  assert.equal((await rows()).length, 2000);
});

for (const [what, change] of [
  ['pending and paid', { status: 'pending', paidAtMs: 1 }],
  ['completed and not paid', { status: 'completed', paidAtMs: null }],
  ['of a status in capitals', { status: 'Failed' }],
  ['of a currency in small letters', { currencyCode: 'eur' }],
  ['of a currency of four letters', { currencyCode: 'EURO' }],
  ['of an account with a blank', { account: 'a b' }],
  ['of an account that is too long', { account: 'a'.repeat(65) }],
  ['of a reference with a line break', { reference: 'x\\n' }],
  ['of an empty reference', { reference: '' }],
  ['of an amount beyond the largest', { amountMinor: 1e15 }],
  ['of the year 10000', { createdAtMs: 253_402_300_800_000 }],
  ['with an empty merchantReference', { merchantReference: '' }],
  ['with a merchantReference that is too long', { merchantReference: 'm'.repeat(256) }],
] as const) {
  test(`a transaction ${what} can't be recorded, whatever wrote it`, async () => {
    const row = { ...transaction('a', 'impossible'), line: 1, ...change } as ImportedTransaction;
    await assert.rejects(importInto(store, [row]), { code: '23514' });
  });
}
