import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Change } from '../../src/ledger/changes/change.ts';
import { changeId } from '../../src/ledger/changes/change-id.ts';
import { sealUpTo } from '../../src/ledger/seals/seal-up-to.ts';
import { addToTotals } from '../../src/ledger/totals/add-to-totals.ts';
import { readTotals } from '../../src/ledger/totals/read-totals.ts';
import {
  type AccountBehind,
  MAX_SUMMED,
  type Total,
  type TotalsQuery,
} from '../../src/ledger/totals/totals.ts';
import { readNumbers } from '../../src/ledger/totals/utc-totals.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { ALL_TOTALS } from '../rig/data/all-totals.ts';
import { changesOf, completed, pending, recordOrWait } from '../rig/data/changes.ts';
import { expectedTotals } from '../rig/data/expected-totals.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';

const ACCOUNT = 'store-1';
const EVERYTHING: TotalsQuery = { account: ACCOUNT, ...ALL_TOTALS };
const LARGEST_MINOR = 999_999_999_999_999;
const dayOf = (day: string) => DAY(day) / 86_400_000;

/** Days at the edges of months and years, before 1970, and the first and the last of all. */
const DAYS = [
  ['0001-01-01', '1968-02-29', '1969-11-30', '1969-12-31', '1970-01-01', '1970-01-31'],
  ['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01', '2026-03-15', '2026-03-31', '9999-12-31'],
]
  .flat()
  .map(dayOf);
/** Ahead of UTC and behind it, also by half an hour, and with clocks that are changed. */
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Pacific/Auckland'];
const STATUSES = ['pending', 'completed', 'refunded', 'failed'];
const CURRENCIES = ['EUR', 'JPY', 'USD'];

/** A new transaction, often pending. */
function randomTransaction(random: Random, account: string, name: string): AccountTransaction {
  const status = random.chance(0.5) ? 'pending' : random.pick(STATUSES);
  return transaction(account, name, {
    status,
    amountMinor: random.chance(0.1)
      ? random.pick([LARGEST_MINOR, -LARGEST_MINOR, 0])
      : random.integer(-5000, 9000),
    currencyCode: random.pick(CURRENCIES),
    createdAtMs: random.pick(DAYS) * 86_400_000 + random.pick([0, 1, 43_200_000, 86_399_999]),
  });
}

function randomQuery(random: Random, account: string): TotalsQuery {
  const days = [0, 1].map(() => random.pick(DAYS) + random.integer(-1, 1)).sort((one, other) => one - other);
  return {
    account,
    status: random.chance(0.3) ? random.pick(STATUSES) : null,
    currency: random.chance(0.3) ? random.pick(CURRENCIES) : null,
    merchantReference: null,
    fromDay: random.chance(0.6) ? (days[0] as number) : null,
    toDay: random.chance(0.6) ? (days[1] as number) : null,
    timeZone: random.chance(0.5) ? random.pick(ZONES) : null,
    by: random.pick([null, 'day', 'month']),
  };
}

/** Records random transactions of accounts, and completes some of the pending ones. */
function randomRecorder(random: Random, accounts: readonly string[], prefix = '') {
  const waiting: AccountTransaction[] = [];
  let count = 0;
  return async (store: Store, size: number) => {
    const rows = Array.from({ length: size }, () =>
      randomTransaction(random, random.pick(accounts), `${prefix}t${count++}`),
    );
    const due = waiting.splice(0, random.integer(0, waiting.length)).map((row) => {
      const status = random.pick(STATUSES.slice(1));
      return { ...row, status, paidAtMs: status === 'completed' ? row.createdAtMs : null };
    });
    await recordOrWait(store, [...rows, ...due]);
    waiting.push(...rows.filter(({ status }) => status === 'pending'));
  };
}

/** The contract of every store for totals: exact at the number that they have, whatever is stored. */
export function totalsContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`the totals on ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let random: Random;

    beforeEach(async () => {
      harness = await makeHarness();
      store = await harness.open();
      random = new Random(seed);
    });
    afterEach(() => harness.dispose());

    const sequencesOf = async (account: string, at = store) => {
      const { totals, lastNonce: _, ...sequences } = await readNumbers(at, account);
      assert.deepEqual(totals, []);
      return sequences;
    };
    /** Adds the next changes of an account, at most `limit`. */
    const addSomeToTotals = async (account: string, limit: number, at = store) => {
      const { totalsSequence: from, headSequence } = await sequencesOf(account, at);
      const upTo = Math.min(from + limit, headSequence);
      if (upTo > from)
        assert.ok(await at.addToTotals(account, from, upTo, await at.sumChanges(account, from, upTo)));
      return upTo;
    };
    const addAllToTotals = async (account: string, at = store) => {
      const { totalsSequence: from, headSequence: upTo } = await sequencesOf(account, at);
      const options = { isStopped: () => false, monotonicMs: () => 0, pause: async () => {} };
      return addToTotals(at, account, { from, upTo }, options);
    };
    const check = async (query: TotalsQuery, about = '') => {
      const changes = await changesOf(store, query.account);
      const { totals, asOf, asOfId } = await readTotals(store, query);
      assert.equal(asOf, changes.length);
      assert.equal(asOfId, changeId(query.account, changes.at(-1) as Change));
      const message = `${about} ${JSON.stringify(query)}`;
      assert.deepEqual(totals, expectedTotals(changes, asOf, query), message);
    };

    test('of an account without transactions are empty, as of 0', async () => {
      await record(store, [transaction('store-2', 'other')]);
      for (const by of [null, 'day', 'month'] as const)
        assert.deepEqual(await readTotals(store, { ...EVERYTHING, by }), {
          totals: [],
          asOf: 0,
          asOfId: null,
        });
    });

    test('equal the sums of the transactions for every filter, whether the stored totals have none, some or all changes', async () => {
      const accounts = [ACCOUNT, 'store-10'];
      const recordSome = randomRecorder(random, accounts);
      for (let round = 0; round < 8; round++) {
        await recordSome(store, 30);
        for (const account of accounts) {
          for (const share of [0, 0.5, 1]) {
            const { totalsSequence, headSequence } = await sequencesOf(account);
            const added = await addSomeToTotals(account, Math.ceil((headSequence - totalsSequence) * share));
            await check({ ...EVERYTHING, account }, `stored up to ${added}`);
            for (let nth = 0; nth < 6; nth++)
              await check(randomQuery(random, account), `stored up to ${added}`);
          }
        }
      }
    });

    test('the stored totals equal the sums up to their number, for days and for months, and the head is that of its snapshot', async () => {
      const recordSome = randomRecorder(random, [ACCOUNT]);
      for (let round = 0; round < 5; round++) await recordSome(store, 20);
      const changes = await changesOf(store, ACCOUNT);
      const all = [{ from: null, to: null }];
      const storedTotals = { account: ACCOUNT, status: null, currency: null };
      for (let added = 0; added < changes.length; ) {
        added = await addSomeToTotals(ACCOUNT, random.integer(1, 20));
        const lastNonce = changes.at(-1)?.nonce;
        const at = { totalsSequence: added, headSequence: changes.length, lastNonce };
        const eachDay = await store.readStoredTotals({ ...storedTotals, byDay: true, days: all, months: [] });
        const expected = expectedTotals(changes, added, { ...EVERYTHING, by: 'day' });
        assert.deepEqual(sorted(eachDay.totals), expected);
        assert.deepEqual({ ...eachDay, totals: [] }, { ...at, totals: [] });
        for (const ranges of [
          { days: all, months: [] },
          { days: [], months: all },
        ]) {
          const { totals } = await store.readStoredTotals({ ...storedTotals, byDay: false, ...ranges });
          assert.deepEqual(sorted(totals), expectedTotals(changes, added, EVERYTHING));
        }
      }
    });

    test('an addition from another number than that of the stored totals changes nothing', async () => {
      await randomRecorder(random, [ACCOUNT])(store, 20);
      const sums = await store.sumChanges(ACCOUNT, 0, 10);
      assert.equal(await store.addToTotals(ACCOUNT, 5, 10, sums), false);
      assert.equal(await store.addToTotals(ACCOUNT, 0, 10, sums), true);
      for (const from of [0, 9, 11]) assert.equal(await store.addToTotals(ACCOUNT, from, 20, sums), false);
      assert.deepEqual(await sequencesOf(ACCOUNT), { totalsSequence: 10, headSequence: 20 });
      await check(EVERYTHING);
    });

    /** The account as another history has it, as after the failover to a standby that lacks its last changes. */
    const withOtherHistory = async (check: (other: Store) => Promise<void>) => {
      const recordSome = randomRecorder(random, [ACCOUNT]);
      await recordSome(store, 30);
      const otherHarness = await makeHarness();
      try {
        const other = await otherHarness.open();
        await randomRecorder(random, [ACCOUNT], 'other-')(other, 40);
        await check(other);
      } finally {
        await otherHarness.dispose();
      }
    };

    test('an addition of changes that the history no longer has changes nothing', () =>
      withOtherHistory(async (other) => {
        const { headSequence: upTo } = await sequencesOf(ACCOUNT, other);
        const sums = await other.sumChanges(ACCOUNT, 0, 20);
        assert.equal(await store.addToTotals(ACCOUNT, 0, 20, sums), false);
        const updater = { sumChanges: other.sumChanges, addToTotals: store.addToTotals };
        const options = { isStopped: () => false, monotonicMs: () => 0, pause: async () => {} };
        assert.equal(await addToTotals(updater, ACCOUNT, { from: 0, upTo }, options), 0);
        assert.equal((await sequencesOf(ACCOUNT)).totalsSequence, 0);
        await check({ ...EVERYTHING, by: 'day' });
      }));

    test('are not read if the history changes between the stored totals and the changes after it', () =>
      withOtherHistory(async (other) => {
        await addSomeToTotals(ACCOUNT, 10);
        const reader = { ...store, sumChanges: other.sumChanges };
        await assert.rejects(readTotals(reader, EVERYTHING), StoreUnavailable);
      }));

    test('of days of a time zone are not read if the history changes between the stored totals and the transactions', () =>
      withOtherHistory(async (other) => {
        const reader = { ...store, sumChanges: other.sumChanges, sumListed: other.sumListed };
        await addAllToTotals(ACCOUNT);
        const query = { ...EVERYTHING, fromDay: dayOf('1970-01-31'), timeZone: 'Asia/Kolkata' };
        for (const by of [null, 'day', 'month'] as const)
          await assert.rejects(readTotals(reader, { ...query, by }), StoreUnavailable);
      }));

    test('adding twice at once by several instances adds nothing twice', async () => {
      const others = [store, await harness.open(), await harness.open()];
      const recordSome = randomRecorder(random, [ACCOUNT]);
      for (let round = 0; round < 5; round++) {
        await recordSome(store, 200);
        const { totalsSequence, headSequence } = await sequencesOf(ACCOUNT);
        const added = await Promise.all(others.map((instance) => addAllToTotals(ACCOUNT, instance)));
        const sum = added.reduce((left, right) => left + right, 0);
        assert.equal(sum, headSequence - totalsSequence);
        assert.deepEqual(await sequencesOf(ACCOUNT), { totalsSequence: headSequence, headSequence });
        await check({ ...EVERYTHING, by: 'day' });
      }
    });

    test('are exact as of their number while instances record and add', async () => {
      const others = [await harness.open(), await harness.open()];
      let recording = others.length;
      const recordings = others.map(async (instance, which) => {
        const recordSome = randomRecorder(random.fork(), [ACCOUNT], `${which}-`);
        for (let round = 0; round < 15; round++) await recordSome(instance, 10);
        recording--;
      });
      const read: { query: TotalsQuery; totals: Total[]; asOf: number }[] = [];
      const readers = [store, ...others].map(async (instance, which) => {
        const own = random.fork();
        do {
          const query = randomQuery(own, ACCOUNT);
          read.push({ query, ...(await readTotals(instance, query)) });
          if (which < 2) await addAllToTotals(ACCOUNT, instance);
        } while (recording > 0);
      });
      await Promise.all([...recordings, ...readers]);
      const changes = await changesOf(store, ACCOUNT);
      assert.ok(read.length >= 3);
      for (const { query, totals, asOf } of read)
        assert.deepEqual(totals, expectedTotals(changes, asOf, query), `${asOf} ${JSON.stringify(query)}`);
      await check(EVERYTHING);
    });

    test('amounts are exact beyond 64 bits, positive and negative, stored or not', async () => {
      const count = 10_000;
      for (const [account, amountMinor] of [
        [ACCOUNT, LARGEST_MINOR],
        ['store-2', -LARGEST_MINOR],
      ] as const) {
        for (let first = 0; first < count; first += 1000) {
          const rows = Array.from({ length: 1000 }, (_, index) =>
            transaction(account, `r${first + index}`, { amountMinor }),
          );
          await record(store, rows);
        }
        const total = { currencyCode: 'EUR', status: 'completed', count };
        const expected = [{ ...total, amountMinor: BigInt(count) * BigInt(amountMinor) }];
        const query = { ...EVERYTHING, account };
        const day = dayOf('2026-03-01');
        for (const share of [0, 1, 2999, count]) {
          for (let left = share; left > 0; left -= MAX_SUMMED)
            await addSomeToTotals(account, Math.min(left, MAX_SUMMED));
          const { asOfId: _, ...all } = await readTotals(store, query);
          assert.deepEqual(all, { totals: expected.map((one) => ({ day: null, ...one })), asOf: count });
          const { totals } = await readTotals(store, { ...query, by: 'day', fromDay: day, toDay: day });
          assert.deepEqual(
            totals,
            expected.map((one) => ({ day, ...one })),
          );
        }
      }
    });

    test('a day and status that transactions have left has no total', async () => {
      const rows = ['a', 'b'].map((reference) => pending(ACCOUNT, reference));
      await record(store, rows);
      await addAllToTotals(ACCOUNT);
      await record(store, rows.map(completed));
      const day = dayOf('2026-03-01');
      const expected = [{ day, currencyCode: 'EUR', status: 'completed', count: 2, amountMinor: 2500n }];
      for (let nth = 0; nth < 2; nth++) {
        const { totals } = await readTotals(store, { ...EVERYTHING, by: 'day' });
        assert.deepEqual(totals, expected);
        await addAllToTotals(ACCOUNT);
      }
      const days = [{ from: day, to: day }];
      const storedTotals = await store.readStoredTotals({ ...EVERYTHING, byDay: true, days, months: [] });
      assert.deepEqual(storedTotals.totals, expected);
    });

    test('belong to one account, also while changes are added', async () => {
      const accounts = [ACCOUNT, 'store-10', 'Store-1', 'store'];
      for (const [index, account] of accounts.entries()) {
        const rows = Array.from({ length: index + 1 }, (_, nth) => pending(account, `r${nth}`));
        await record(store, rows);
        await record(store, rows.slice(0, 1).map(completed));
      }
      // First all stored totals hold at the same number, then one after the other moves.
      for (const account of accounts) await addSomeToTotals(account, 1);
      for (const added of [null, ...accounts]) {
        if (added !== null) await addAllToTotals(added);
        for (const account of accounts)
          for (const by of [null, 'day'] as const) await check({ ...EVERYTHING, account, by }, `${added}`);
      }
    });

    test('lists the accounts with changes that are not in the stored totals, or not sealed, page by page, in the order of accounts', async () => {
      const accounts = ['a', 'B', 'c-1', 'c.1', 'd'];
      for (const [index, account] of accounts.entries())
        await record(
          store,
          Array.from({ length: index + 1 }, (_, nth) => transaction(account, `r${nth}`)),
        );
      await addSomeToTotals('c.1', 3);
      await addAllToTotals('c-1');
      await sealUpTo(
        store,
        'c-1',
        {},
        { isStopped: () => false, monotonicMs: () => 0, pause: async () => {} },
      );
      for (const limit of [1, 2, 4, 5, 10]) {
        const found: AccountBehind[] = [];
        let pages = 0;
        for (let last: string | null = ''; last !== null; pages++) {
          const page = await store.listBehind(last, limit);
          assert.ok(page.accounts.length <= limit);
          found.push(...page.accounts);
          last = page.last;
        }
        assert.ok(pages <= accounts.length / limit + 2);
        assert.deepEqual(
          found.map(({ account, totalsSequence, headSequence }) => [account, totalsSequence, headSequence]),
          [
            ['B', 0, 2],
            ['a', 0, 1],
            ['c.1', 3, 4],
            ['d', 0, 5],
          ],
        );
      }
    });

    test('reading and adding reject with StoreUnavailable when the database is gone', async () => {
      await record(store, [transaction(ACCOUNT, 'a')]);
      const sums = await store.sumChanges(ACCOUNT, 0, 1);
      await harness.ruin();
      for (const [method, call] of Object.entries({
        readStoredTotals: () => sequencesOf(ACCOUNT),
        sumChanges: () => store.sumChanges(ACCOUNT, 0, 1),
        listBehind: () => store.listBehind('', 10),
        addToTotals: () => store.addToTotals(ACCOUNT, 0, 1, sums),
      })) {
        await assert.rejects(call, (error) => error instanceof StoreUnavailable, method);
      }
    });
  });
}

/** Stored totals in the order of totals; those of nothing are left out. */
function sorted(totals: readonly Total[]): Total[] {
  const keyOf = ({ day, currencyCode, status }: Total) =>
    [String((day ?? 0) + 1_000_000).padStart(8, '0'), currencyCode, status].join();
  return totals.filter(({ count }) => count > 0).sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}
