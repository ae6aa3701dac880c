import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SavedPosition, Transaction, TransactionList } from '../../client/src/index.ts';
import { record } from '../rig/data/transactions.ts';
import { clientOf } from '../rig/http/client.ts';
import { fc } from '../rig/run/properties.ts';
import { inTier } from '../rig/run/tier.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';
import { expectedOf, filters, rows, rowsOf } from './random-list.ts';

const LIFETIME_SECONDS = 60;

/** How much of a list is read, and what happens next. */
const step = fc.record({
  take: fc.oneof(fc.integer({ min: 1, max: 25 }), fc.constant('page' as const)),
  isSaved: fc.boolean(),
  isExpired: fc.boolean(),
});
const steps = fc.array(step, { minLength: 1, maxLength: 6 });
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const buildApp = () => buildTestApp({ config: { ...testConfig, cursorLifetimeSeconds: LIFETIME_SECONDS } });

/** Takes `count` transactions or a page. Returns true if the list is finished. */
async function take(list: TransactionList, count: number | 'page', seen: Transaction[]): Promise<boolean> {
  if (count === 'page') {
    const { data, hasMore } = await list.page();
    seen.push(...data);
    return !hasMore;
  }
  let left = count;
  for await (const one of list) {
    seen.push(one);
    if (--left === 0) return false;
  }
  return true;
}

/** Reads to the end in steps. Between them, cursors expire and the list continues in another process. */
async function readInSteps(
  { app, key, list }: { app: TestApp; key: string; list: TransactionList },
  planned: readonly Step[],
  between: () => Promise<void> = async () => {},
): Promise<Transaction[]> {
  const seen: Transaction[] = [];
  let current = list;
  for (let index = 0; ; index++) {
    assert.ok(index < 500, 'the list does not end');
    const { take: count, isSaved, isExpired } = planned[index % planned.length] as Step;
    if (await take(current, count, seen)) return seen;
    if (isExpired) app.clock.advance(LIFETIME_SECONDS * 1000);
    if (isSaved) {
      const saved = JSON.parse(JSON.stringify(current)) as SavedPosition;
      current = clientOf(app, key).client.transactions.resume(saved);
    }
    await between();
  }
}

test('a list returns exactly the transactions that match, even if cursors expire and it is saved and resumed', async () => {
  const app = await buildApp();
  let accounts = 0;
  await fc.assert(
    fc.asyncProperty(rows(100), filters, steps, async (drawn, filter, planned) => {
      const account = `exact-${accounts++}`;
      const recorded = rowsOf(account, drawn);
      await record(app.store, recorded);
      const key = await app.makeKey(account);
      const list = clientOf(app, key).client.transactions.list(filter);
      assert.deepEqual(await readInSteps({ app, key, list }, planned), expectedOf(recorded, account, filter));
    }),
    { numRuns: inTier({ short: 20, long: 200 }) },
  );
});

test('transactions recorded while a list is read cause no loss and no repetition', async () => {
  const app = await buildApp();
  let accounts = 0;
  await fc.assert(
    fc.asyncProperty(
      rows(100),
      filters,
      steps,
      fc.integer({ min: 1, max: 40 }),
      async (drawn, filter, planned, later) => {
        const account = `meanwhile-${accounts++}`;
        const recorded = rowsOf(account, drawn.slice(later));
        const arriving = rowsOf(account, drawn.slice(0, later));
        const arrived = [...recorded];
        await record(app.store, recorded);
        const key = await app.makeKey(account);
        const list = clientOf(app, key).client.transactions.list(filter);
        const seen = await readInSteps({ app, key, list }, planned, async () => {
          const batch = arriving.splice(0, 5);
          await record(app.store, batch);
          arrived.push(...batch);
        });
        // The list's order shows that no row is repeated. No row is invented, and no row that was recorded
        // before the start is missing.
        const seenReferences = new Set(seen.map(({ reference }) => reference));
        const possible = expectedOf(arrived, account, filter);
        assert.deepEqual(
          seen,
          possible.filter(({ reference }) => seenReferences.has(reference)),
        );
        for (const { reference } of expectedOf(recorded, account, filter)) {
          assert.ok(seenReferences.has(reference), `${reference} was lost`);
        }
      },
    ),
    { numRuns: inTier({ short: 15, long: 150 }) },
  );
});
