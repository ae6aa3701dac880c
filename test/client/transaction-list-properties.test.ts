import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListFilters, SavedPosition, Transaction, TransactionList } from '../../client/src/index.ts';
import { transactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { expectedList } from '../rig/data/expected-list.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { clientOf } from '../rig/http/client.ts';
import { fc } from '../rig/run/properties.ts';
import { inTier } from '../rig/run/tier.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = DAY('2025-06-01');
const SPAN_DAYS = 400;

const createdAtMs = fc
  .oneof(
    fc.nat(5).map((step) => step * 16 * 3_600_000),
    fc.tuple(fc.nat(SPAN_DAYS), fc.constantFrom(-1, 0)).map(([days, offsetMs]) => days * DAY_MS + offsetMs),
    fc.nat(SPAN_DAYS * DAY_MS),
  )
  .map((afterMs) => FIRST_DAY_MS + afterMs);

const MERCHANT_REFERENCES = ['order-1', 'größer "x", 😀', 'long '.repeat(51)];

const row = fc.record({
  name: fc.stringMatching(/^[A-Za-z0-9._-]{1,4}$/),
  createdAtMs,
  status: fc.constantFrom('pending', 'completed', 'completed'),
  currencyCode: fc.constantFrom('EUR', 'EUR', 'USD'),
  amountMinor: fc.integer({ min: -1000, max: 1_000_000 }),
  merchantReference: fc.constantFrom(null, ...MERCHANT_REFERENCES),
});

type NamedRow = typeof row extends fc.Arbitrary<infer Row> ? Row : never;

const rows = (maxLength: number): fc.Arbitrary<NamedRow[]> =>
  fc.uniqueArray(row, { minLength: maxLength / 4, maxLength, size: 'max', selector: ({ name }) => name });

const rowsOf = (account: string, named: readonly NamedRow[]): AccountTransaction[] =>
  named.map(({ name, ...fields }) => transaction(account, name, fields));

const day = fc
  .integer({ min: -10, max: SPAN_DAYS + 10 })
  .map((days) => new Date(FIRST_DAY_MS + days * DAY_MS).toISOString().slice(0, 10));
const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const filters: fc.Arbitrary<ListFilters> = fc
  .record({
    status: rarely(fc.constantFrom('pending', 'completed', 'completed')),
    currency: rarely(fc.constantFrom('EUR', 'EUR', 'EUR', 'USD', 'JPY')),
    merchantReference: rarely(fc.constantFrom(...MERCHANT_REFERENCES)),
    from: fc.option(day, { nil: undefined, freq: 2 }),
    to: fc.option(day, { nil: undefined, freq: 2 }),
    timeZone: rarely(fc.constantFrom('UTC', 'Asia/Kolkata', 'Pacific/Auckland', 'America/New_York')),
  })
  .map(({ from, to, ...others }) =>
    from !== undefined && to !== undefined && from > to
      ? { ...others, from: to, to: from }
      : { ...others, from, to },
  );

function expectedOf(recorded: readonly AccountTransaction[], account: string, given: ListFilters) {
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return expectedList(recorded, account, { ...NO_FILTER, ...defined }).map(transactionBody);
}

const LIFETIME_SECONDS = 60;

const step = fc.record({
  take: fc.oneof(fc.integer({ min: 1, max: 25 }), fc.constant('page' as const)),
  isSaved: fc.boolean(),
  isExpired: fc.boolean(),
});
const steps = fc.array(step, { minLength: 1, maxLength: 6 });
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const buildApp = () => buildTestApp({ config: { ...testConfig, cursorLifetimeSeconds: LIFETIME_SECONDS } });

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

async function readInSteps(
  { app, key, list }: { app: TestApp; key: string; list: TransactionList },
  planned: readonly Step[],
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
