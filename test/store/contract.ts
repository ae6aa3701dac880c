import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { INSTANCE_LIFETIME_MS } from '../../src/instances/instance.ts';
import { type ListFilter, NO_FILTER, type Position } from '../../src/ledger/list/list.ts';
import { outcomeOrHeld, type RecordResult, recordOnce } from '../../src/ledger/record/record.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { lastChange } from '../rig/data/changes.ts';
import { expectedList } from '../rig/data/expected-list.ts';
import { DAY, outcomesOf, record, transaction } from '../rig/data/transactions.ts';
import { recordVariedRows, VARIED_FILTERS, VARIED_ROWS } from '../rig/data/varied-rows.ts';
import { someInstance } from '../rig/service/instances.ts';
import { someEntry } from '../rig/store/audit.ts';
import { eachHarness } from '../rig/store/each-harness.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { USES } from '../rig/store/use-every-call.ts';
import { accountsContract } from './accounts-contract.ts';
import { apiKeysContract } from './api-keys-contract.ts';
import { auditContract } from './audit-contract.ts';
import { numbersOf } from './exports-contract.ts';
import { importContract } from './import-contract.ts';
import { recordedStatusesContract } from './recorded-statuses-contract.ts';
import { sessionsContract } from './sessions-contract.ts';

const WITHOUT_DATABASE = [
  ...['connectionUse', 'onReconnected', 'close', 'nodeOf', 'nodes'],
  ...['watchAccounts', 'listMovedAccounts', 'readClock'],
];

export function storeContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`a store on ${name}`, () => {
    const { harness, store } = eachHarness(makeHarness);

    const listed = async (account: string, filter: ListFilter = NO_FILTER, limit = 1000) =>
      (await store.listTransactions({ account, filter, after: null }, limit)).transactions.map(
        ({ reference }) => reference,
      );

    test('lists the related transactions of an account alone, newest first', async () => {
      const related = (account: string, createdAtMs: number) =>
        transaction(account, `${createdAtMs}`, { createdAtMs, relatedTo: 'payment' });
      await record(store, [related('store-1', 1), related('store-2', 2), related('store-1', 3)]);
      const list = async (after: Position | null) =>
        (await store.listRelated('store-1', 'payment', after, 10)).map(({ reference }) => reference);
      assert.deepEqual(await list(null), ['store-1.3', 'store-1.1']);
      assert.deepEqual(await list({ createdAtMs: 3, reference: 'store-1.3' }), ['store-1.1']);
    });

    test('every combination of filters, from every position, returns exactly the expected list, and an export the same with the numbers of the changes', async () => {
      await recordVariedRows(store);
      for (const account of ['store-1', 'store-2']) {
        const numbers = await numbersOf(store, account);
        for (const filter of VARIED_FILTERS) {
          const seen = expectedList(VARIED_ROWS, account, filter).filter((_, index) => index % 11 === 0);
          for (const after of [null, ...seen]) {
            const expected = expectedList(VARIED_ROWS, account, filter, after)
              .slice(0, 11)
              .map(({ account: _, ...fields }) => fields);
            const about = JSON.stringify({ account, filter, after });
            const { transactions } = await store.listTransactions({ account, filter, after }, 11);
            assert.deepEqual(transactions, expected, about);
            assert.deepEqual(
              await store.listNumbered({ account, filter, after }, 11),
              expected.map((transaction) => ({ transaction, ...numbers.get(transaction.reference) })),
              about,
            );
          }
        }
      }
    });

    test('a list by currency has the rows of every status in the table, even of a status that another instance records later', async () => {
      const accounts = ['currency-1', 'currency-2'];
      const instances = [store, await harness.open()] as const;
      const recorded: AccountTransaction[] = [];
      for (const [index, status] of ['pending', 'voided', 'a', 'completed', 'zz', 'held'].entries()) {
        const rows = accounts.flatMap((account) =>
          ['EUR', 'JPY', 'EUR'].map((currencyCode, nth) =>
            transaction(account, `${index}-${nth}`, {
              status,
              currencyCode,
              createdAtMs: DAY('2026-03-01') + (index % 3),
            }),
          ),
        );
        await record(instances[0], rows);
        recorded.push(...rows);
        for (const instance of instances) {
          const queries = accounts.flatMap((account) =>
            ['EUR', 'JPY', 'USD'].map((currency) => ({
              account,
              filter: { ...NO_FILTER, currency },
              after: null,
            })),
          );
          const lists = await Promise.all(queries.map((query) => instance.listTransactions(query, 100)));
          for (const [nth, { account, filter, after }] of queries.entries()) {
            const expected = expectedList(recorded, account, filter, after);
            assert.deepEqual(
              lists[nth]?.transactions,
              expected.map(({ account: _, ...fields }) => fields),
            );
          }
        }
      }
    });

    importContract(store, harness);

    describe('recording', () => {
      const found = async (account: string, reference: string) =>
        store.retrieveTransaction(account, reference);
      const recording = async (rows: readonly AccountTransaction[]) => outcomesOf(await store.record(rows));

      test('returns the outcome of each transaction, in order, and stores them', async () => {
        const pending = transaction('store-1', 'p', { status: 'pending' });
        const other = transaction('store-1', 'o');
        assert.deepEqual(await recording([other, pending]), ['recorded', 'recorded']);
        const paid = { ...pending, status: 'completed', paidAtMs: pending.createdAtMs + 1 };
        const wrong = { ...other, amountMinor: 1 };
        const same = transaction('store-2', 'o');
        const results = await store.record([paid, same, wrong]);
        assert.deepEqual(results, [
          { outcome: 'changed', detailsRemovedAtMs: null, ...(await lastChange(store, paid)) },
          { outcome: 'recorded', ...(await lastChange(store, same)) },
          { outcome: 'conflict', differences: [{ field: 'amount', recorded: '12.50', given: '0.01' }] },
        ]);
        assert.deepEqual(await recording([other, paid]), ['unchanged', 'unchanged']);
        assert.deepEqual(await recording([pending]), ['conflict']);
        const { account: _, ...fields } = paid;
        assert.deepEqual(await found('store-1', paid.reference), fields);
      });

      test('of a transaction that the database refuses fails; the others in its group are recorded and changed', async () => {
        const pending = transaction('store-1', 'p', { status: 'pending' });
        await store.record([pending]);
        const paid = { ...pending, status: 'completed', paidAtMs: pending.createdAtMs };
        const good = Array.from({ length: 20 }, (_, index) => transaction('store-1', `g${index}`));
        const bad = transaction('store-1', 'bad', { currencyCode: 'eur' });
        const results = await store.record([...good.slice(0, 9), bad, paid, ...good.slice(9)]);
        assert.deepEqual(outcomesOf(results), [
          ...good.slice(0, 9).map(() => 'recorded'),
          'failed',
          'changed',
          ...good.slice(9).map(() => 'recorded'),
        ]);
        assert.equal(await found('store-1', bad.reference), undefined);
        for (const { reference } of good)
          assert.equal((await found('store-1', reference))?.reference, reference);
      });

      test('of one reference by two instances at once creates one row, and each gets a consistent outcome', async () => {
        const other = await harness.open();
        for (let index = 0; index < 20; index++) {
          const amounts = [100 + index, 200 + index];
          const outcomes = await Promise.all(
            [store, other].map(async (instance, which) => {
              const row = transaction('store-1', `r${index}`, { amountMinor: amounts[which] as number });
              const [result] = await instance.record([row]);
              return (await outcomeOrHeld(instance, row, result as RecordResult)).outcome;
            }),
          );
          assert.deepEqual(outcomes.toSorted(), ['conflict', 'recorded']);
          const stored = await found('store-1', `store-1.r${index}`);
          assert.equal(stored?.amountMinor, amounts[outcomes.indexOf('recorded')]);
        }
      });

      test('of one reference in two accounts compares and changes only the given account', async () => {
        const pending = transaction('store-1', 'a', { status: 'pending' });
        const paid = { ...pending, status: 'completed', paidAtMs: pending.createdAtMs };
        for (const count of [1, 2]) {
          const others = count === 1 ? [] : [transaction('store-1', 'other')];
          const [mine, theirs] = [`mine-${count}`, `theirs-${count}`];
          await store.record([{ ...pending, account: theirs }]);
          await store.record([{ ...pending, account: mine }]);
          assert.equal((await recording([{ ...paid, account: mine }, ...others]))[0], 'changed');
          assert.equal((await recording([{ ...paid, account: mine }, ...others]))[0], 'unchanged');
          assert.equal((await found(mine, paid.reference))?.status, 'completed');
          assert.equal((await found(theirs, paid.reference))?.status, 'pending');
        }
      });

      test('removes the details of a transaction only in the given account', async () => {
        const row = transaction('store-1', 'a', { details: '{"customer":"Ada"}' });
        const { reference } = row;
        await record(store, [row, { ...row, account: 'store-2' }]);
        const remove = (account: string) => store.removeDetails(account, reference, someEntry(account));
        assert.equal(await remove('store-3'), undefined);
        assert.equal(await remove('store-1'), 'removed');
        assert.equal((await found('store-1', reference))?.details, null);
        assert.equal((await found('store-2', reference))?.details, row.details);
      });

      test('under an idempotency key happens once, whichever instance repeats it', async () => {
        const other = await harness.open();
        const once = { key: 'create-1', fingerprint: 'a'.repeat(64) };
        const [first, second] = [transaction('store-1', 'x'), transaction('store-1', 'y')];
        const outcomes = await Promise.all([recordOnce(store, first, once), recordOnce(other, second, once)]);
        const recorded = outcomes.findIndex(({ outcome }) => outcome === 'recorded');
        const made = outcomes[recorded];
        const reference = made?.outcome === 'recorded' ? made.reference : undefined;
        const winner = [first, second].find((one) => one.reference === reference);
        assert.deepEqual(outcomes[1 - recorded], { outcome: 'repeated', reference: winner?.reference });
        assert.deepEqual(await listed('store-1'), [winner?.reference]);
        assert.deepEqual(await recordOnce(store, first, { ...once, fingerprint: 'b'.repeat(64) }), {
          outcome: 'key_reused',
          reference: winner?.reference,
        });
      });

      test('under an idempotency key that must be a repetition records nothing, and does not store the key', async () => {
        const once = { key: 'create-1', fingerprint: 'a'.repeat(64) };
        const repeats = { ...once, repeatsOnly: true };
        const [first, second] = [transaction('store-1', 'x'), transaction('store-1', 'y')];
        assert.deepEqual(await recordOnce(store, first, repeats), { outcome: 'not_recorded' });
        assert.deepEqual(await listed('store-1'), []);
        assert.equal((await recordOnce(store, first, once)).outcome, 'recorded');
        const { reference } = first;
        assert.deepEqual(await recordOnce(store, second, repeats), { outcome: 'repeated', reference });
        assert.deepEqual(await recordOnce(store, second, { ...repeats, fingerprint: 'b'.repeat(64) }), {
          outcome: 'key_reused',
          reference,
        });
        assert.deepEqual(await listed('store-1'), [reference]);
      });

      test('under one idempotency key in two accounts returns the reference of each', async () => {
        const once = { key: 'create-1', fingerprint: 'a'.repeat(64) };
        const rows = ['store-1', 'store-2'].map((account) => transaction(account, 'x'));
        for (const row of rows) {
          const recorded = await recordOnce(store, row, once);
          const { reference } = row;
          assert.deepEqual(recorded, { outcome: 'recorded', reference, ...(await lastChange(store, row)) });
        }
        for (const { account, reference } of rows) {
          const again = await recordOnce(store, transaction(account, 'y'), once);
          assert.deepEqual(again, { outcome: 'repeated', reference });
        }
      });
    });

    accountsContract(store);
    auditContract(store);
    recordedStatusesContract(store, harness);
    apiKeysContract(store, harness);
    sessionsContract(store);

    describe('its instances', () => {
      const names = async () => (await store.listInstances()).map(({ instance }) => instance);
      const move = (milliseconds: number, name: string) =>
        harness.execute(
          `UPDATE instances SET seen_at_ms = seen_at_ms + ${milliseconds}, started_at_ms = started_at_ms + ${milliseconds} WHERE instance = '${name}'`,
        );

      test('lists the instances that serve, with what each noted first', async () => {
        assert.deepEqual(await names(), []);
        const a = someInstance('a', { STATUSES: 'failed:unpaid', CURSOR_SECRETS: ['x', 'y'] });
        await store.noteInstance(someInstance('b'));
        await store.noteInstance(a);
        await move(-5000, 'b');
        await store.noteInstance(someInstance('b'));
        assert.deepEqual(await names(), ['a', 'b']);
        const [first, second] = await store.listInstances();
        assert.deepEqual({ ...first, startedAtMs: 0, seenAtMs: 0 }, { ...a, startedAtMs: 0, seenAtMs: 0 });
        assert.ok(second !== undefined && second.seenAtMs >= second.startedAtMs + 5000);
        await store.removeInstance('b');
        assert.deepEqual(await names(), ['a']);
      });

      test('an instance whose last note is over a minute old, or in the future, is not listed, and the next note removes its row', async () => {
        for (const [name, byMs] of [
          ['old', -INSTANCE_LIFETIME_MS - 1],
          ['ahead', 30 * 86_400_000],
        ] as const) {
          await store.noteInstance(someInstance(name));
          await move(byMs, name);
          assert.deepEqual(await names(), []);
          await store.noteInstance(someInstance('here'));
          // Every row gets the current time, so that the row of `name` would be listed if it still existed.
          await harness.execute(
            `UPDATE instances SET seen_at_ms = (SELECT seen_at_ms FROM instances WHERE instance = 'here')`,
          );
          assert.deepEqual(await names(), ['here']);
          await store.removeInstance('here');
        }
      });
    });

    test('stores one cursor secret: the first one proposed', async () => {
      const other = await harness.open();
      const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(43)) as [string, string, string];
      const stored = await Promise.all([store.storeCursorSecret(one), other.storeCursorSecret(two)]);
      assert.equal(stored[0], stored[1]);
      assert.equal(await store.storeCursorSecret(three), stored[0]);
    });

    test('rejects every call with StoreUnavailable when the database is gone', async () => {
      await record(store, [transaction('store-1', 'a')]);
      await harness.ruin();
      for (const [call, use] of Object.entries(USES) as [string, (store: Store) => unknown][])
        if (!WITHOUT_DATABASE.includes(call))
          await assert.rejects(
            async () => use(store),
            (error) => error instanceof StoreUnavailable,
            call,
          );
    });

    test('reads the clock of the database, which agrees with that of this machine', async () => {
      const beforeMs = Date.now();
      const { nowMs, isLeast } = await store.readClock();
      assert.ok(nowMs < Date.now() + 1);
      assert.ok(isLeast || nowMs >= beforeMs - 1);
    });
  });
}
