import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { type Change, changeId } from '../../src/ledger/changes/change.ts';
import type { Total, TotalsQuery } from '../../src/ledger/totals/total.ts';
import { readTotals } from '../../src/ledger/totals/totals.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { Store } from '../../src/store/store.ts';
import { ALL_TOTALS } from '../rig/data/all-totals.ts';
import { changesOf, completed, pending, recordOrWait } from '../rig/data/changes.ts';
import { expectedTotals } from '../rig/data/expected-totals.ts';
import { DAY, outcomesOf, record, transaction } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { eachHarness } from '../rig/store/each-harness.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { storeWith } from '../rig/store/store-with.ts';

const ACCOUNT = 'store-1';
const EVERYTHING: TotalsQuery = { account: ACCOUNT, ...ALL_TOTALS };
const LARGEST_MINOR = 999_999_999_999_999;
const dayOf = (day: string) => DAY(day) / 86_400_000;

const DAYS = [
  ['0001-01-01', '1968-02-29', '1969-11-30', '1969-12-31', '1970-01-01', '1970-01-31'],
  ['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01', '2026-03-15', '2026-03-31', '9999-12-31'],
]
  .flat()
  .map(dayOf);
const ZONES = [
  'UTC',
  'Africa/Monrovia',
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/New_York',
  'Pacific/Auckland',
];
const STATUSES = ['pending', 'completed', 'refunded', 'failed'];
const CURRENCIES = ['EUR', 'JPY', 'USD'];

function randomTransaction(random: Random, account: string, name: string): AccountTransaction {
  const status = random.chance(0.5) ? 'pending' : random.pick(STATUSES);
  return transaction(account, name, {
    status,
    paidAtMs: randomPayment(random, status),
    amountMinor: random.chance(0.1)
      ? random.pick([LARGEST_MINOR, -LARGEST_MINOR, 0])
      : random.integer(-5000, 9000),
    currencyCode: random.pick(CURRENCIES),
    createdAtMs: randomTime(random),
  });
}

const randomTime = (random: Random) =>
  random.pick(DAYS) * 86_400_000 + random.pick([0, 1, 43_200_000, 86_399_999]);

const randomPayment = (random: Random, status: string) =>
  status === 'completed' || (status === 'refunded' && random.chance(0.5)) ? randomTime(random) : null;

function randomQuery(random: Random, account: string): TotalsQuery {
  const days = [0, 1].map(() => random.pick(DAYS) + random.integer(-1, 1)).sort((one, other) => one - other);
  return {
    account,
    ...ALL_TOTALS,
    status: random.chance(0.3) ? random.pick(STATUSES) : null,
    currency: random.chance(0.3) ? random.pick(CURRENCIES) : null,
    fromDay: random.chance(0.6) ? (days[0] as number) : null,
    toDay: random.chance(0.6) ? (days[1] as number) : null,
    timeZone: random.chance(0.5) ? random.pick(ZONES) : null,
    paid: random.chance(0.7)
      ? null
      : {
          fromMs: random.chance(0.6) ? randomTime(random) : null,
          beforeMs: random.chance(0.6) ? randomTime(random) : null,
        },
    by: random.pick([null, 'day', 'month']),
  };
}

function randomRecorder(random: Random, accounts: readonly string[], prefix = '') {
  const waiting: AccountTransaction[] = [];
  let count = 0;
  return async (store: Store, size: number) => {
    const rows = Array.from({ length: size }, () =>
      randomTransaction(random, random.pick(accounts), `${prefix}t${count++}`),
    );
    const due = waiting.splice(0, random.integer(0, waiting.length)).map((row) => {
      const status = random.pick(STATUSES.slice(1));
      return { ...row, status, paidAtMs: randomPayment(random, status) };
    });
    await recordOrWait(store, [...rows, ...due]);
    waiting.push(...rows.filter(({ status }) => status === 'pending'));
  };
}

export function totalsContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`the totals on ${name}`, () => {
    const { harness, store } = eachHarness(makeHarness);
    let random: Random;
    beforeEach(() => {
      random = new Random(seed);
    });

    const check = async (query: TotalsQuery) => {
      const changes = await changesOf(store, query.account);
      const { totals, asOf, asOfId } = await readTotals(store, query);
      assert.equal(asOf, changes.length);
      assert.equal(asOfId, changeId(query.account, changes.at(-1) as Change));
      assert.deepEqual(totals, expectedTotals(changes, asOf, query), JSON.stringify(query));
    };

    test('are exact beyond 64 bits, also those of the rows of a merchantReference', async () => {
      const fields = { amountMinor: LARGEST_MINOR, merchantReference: 'order-1' };
      const rows = Array.from({ length: 9300 }, (_, nth) => transaction(ACCOUNT, `r${nth}`, fields));
      for (let first = 0; first < rows.length; first += 500)
        await record(store, rows.slice(first, first + 500));
      for (const part of [{}, { by: 'day' }, { merchantReference: 'order-1' }] as const)
        await check({ ...EVERYTHING, ...part });
      let reads = 0;
      const counting = storeWith(store, {
        sumListed: (...query) => {
          reads++;
          return store.sumListed(...query);
        },
      });
      await readTotals(counting, { ...EVERYTHING, merchantReference: 'order-1' });
      assert.ok(reads > 1, 'the rows of a merchantReference are summed in one long read');
    });

    test('of a range include its first and its last day, and no other', async () => {
      const days = [0, 1, 2, 3].map((nth) => dayOf('2026-03-01') + nth);
      const rows = days.map((day) => transaction(ACCOUNT, `r${day}`, { createdAtMs: day * 86_400_000 }));
      await record(store, rows);
      const range = { fromDay: days[1] as number, toDay: days[2] as number };
      for (const by of [null, 'day'] as const) {
        const { totals } = await readTotals(store, { ...EVERYTHING, ...range, by });
        assert.deepEqual(
          totals.map(({ count }) => count),
          by === null ? [2] : [1, 1],
        );
      }
    });

    test('are exact at their number while instances record into one account and into many', async () => {
      const accounts = [ACCOUNT, 'store-10', 'a', 'Z'];
      const instances = [store, await harness.open(), await harness.open()];
      let recording = instances.length;
      const recordings = instances.map(async (instance, which) => {
        const own = random.fork();
        const recorders = [accounts, accounts.toReversed(), [ACCOUNT]].map((some, nth) =>
          randomRecorder(own, some, `${which}-${nth}-`),
        );
        for (let round = 0; round < inTier({ short: 3, long: 6 }); round++)
          await Promise.all(recorders.map((recordSome) => recordSome(instance, 10)));
        recording--;
      });
      const read: { query: TotalsQuery; totals: Total[]; asOf: number }[] = [];
      const readers = instances.map(async (instance) => {
        const own = random.fork();
        do {
          const query = randomQuery(own, own.pick(accounts));
          read.push({ query, ...(await readTotals(instance, query)) });
        } while (recording > 0);
      });
      await Promise.all([...recordings, ...readers]);
      assert.ok(read.length >= 3);
      for (const account of accounts) {
        const changes = await changesOf(store, account);
        for (const { query, totals, asOf } of read)
          if (query.account === account)
            assert.deepEqual(
              totals,
              expectedTotals(changes, asOf, query),
              `${asOf} ${JSON.stringify(query)}`,
            );
        await check({ ...EVERYTHING, account, by: 'day' });
      }
    });

    for (const [damage, right, wrong] of [
      ['count too few', 'count = 1', 'count = 0'],
      ['were lost', "currency_code = 'EUR'", "currency_code = 'CHF'"],
    ])
      test(`of an account that ${damage} stop only recordings of that account, and the error says what to do`, async () => {
        const waiting = [pending(ACCOUNT, 'a'), pending('store-2', 'a')];
        await record(store, waiting);
        const make = (values = '') =>
          harness.execute(
            `UPDATE daily_totals SET ${values} WHERE account = '${ACCOUNT}' AND status = 'pending'`,
          );
        await make(wrong);
        const given = [...waiting.map(completed), transaction('store-3', 'b')];
        const [failed, ...others] = await store.record(given);
        assert.ok(failed?.outcome === 'failed');
        const says =
          /the stored totals of the account store-1 are damaged, and nothing was recorded: run "transactions verify"/;
        assert.match(String(failed.error), says);
        assert.deepEqual(outcomesOf(others), ['changed', 'recorded']);
        await make(right);
        await check(EVERYTHING);
        await check({ ...EVERYTHING, account: 'store-2' });
        await record(store, [completed(pending(ACCOUNT, 'a'))]);
        await check(EVERYTHING);
      });
  });
}
