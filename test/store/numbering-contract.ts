import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { Store } from '../../src/store/store.ts';
import {
  assertChangesMakeTheTable,
  changesOf,
  completed,
  pending,
  recordOrWait,
  shownChanges,
} from '../rig/changes.ts';
import type { StoreHarness } from '../rig/store-harness.ts';
import { record, transaction } from '../rig/transactions.ts';

/** The contract of every store for numbering what the version without sequence numbers recorded. */
export function numberingContract(current: () => { harness: StoreHarness; store: Store }): void {
  describe('of transactions that the version before recorded', () => {
    let harness: StoreHarness;
    let store: Store;
    beforeEach(() => {
      ({ harness, store } = current());
    });

    const insertOld = (row: AccountTransaction) =>
      harness.execute(
        `INSERT INTO transactions (account, reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms)
         VALUES ('${row.account}', '${row.reference}', '${row.status}', ${row.amountMinor}, '${row.currencyCode}', ${row.paidAtMs ?? 'NULL'}, ${row.createdAtMs})`,
      );
    const completeOld = ({ account, reference, paidAtMs }: AccountTransaction) =>
      harness.execute(
        `UPDATE transactions SET status = 'completed', paid_at_ms = ${paidAtMs} WHERE account = '${account}' AND reference = '${reference}'`,
      );
    /** Numbers everything, and returns how many transactions each step numbered. */
    const numberAll = async () => {
      const steps: number[] = [];
      for (;;) {
        const count = await store.numberTransactions();
        if (count === 0) return steps;
        steps.push(count);
      }
    };

    test('there is none until they are numbered, in the order of createdAt and reference', async () => {
      const times = [3, 1, 2, 1, 3, 2];
      for (const [index, account] of ['store-2', 'store-1', 'store-10'].entries())
        for (const [nth, day] of times.entries())
          await insertOld(
            nth % 2 === 0
              ? pending(account, `${'caBb0Z'[nth]}${index}`, day)
              : transaction(account, `${'caBb0Z'[nth]}${index}`, { createdAtMs: day }),
          );
      assert.deepEqual(await store.readHeads(['store-1', 'store-2']), new Map());
      assert.deepEqual(await changesOf(store, 'store-1'), []);
      const numbered = (await numberAll()).reduce((sum, count) => sum + count, 0);
      assert.equal(numbered, 3 * times.length);
      assert.deepEqual(await shownChanges(store, 'store-1'), [
        'a1 new completed',
        'b1 new completed',
        'B1 new pending',
        'Z1 new completed',
        '01 new pending',
        'c1 new pending',
      ]);
      for (const change of await changesOf(store, 'store-1'))
        assert.equal(change.recordedAtMs, harness.nowMs);
      for (const account of ['store-1', 'store-2', 'store-10'])
        await assertChangesMakeTheTable(store, account);
      assert.equal(await store.numberTransactions(), 0);
    });

    test('numbers continue after those of recordings, which never wait for them', async () => {
      await insertOld(transaction('store-1', 'old'));
      await record(store, [transaction('store-1', 'new')]);
      assert.deepEqual(await shownChanges(store, 'store-1'), ['new new completed']);
      await record(store, [transaction('store-1', 'old')]);
      assert.deepEqual(await numberAll(), [1]);
      assert.deepEqual(await shownChanges(store, 'store-1'), ['new new completed', 'old new completed']);
    });

    test('a pending one that is completed before it is numbered gets one number, as completed, in its account only', async () => {
      const rows = ['a', 'b'].map((reference) => pending('store-1', reference));
      const theirs = rows.map((row) => ({ ...row, account: 'store-2' }));
      for (const row of [...theirs, ...rows]) await insertOld(row);
      assert.deepEqual(await store.recordTransactions(rows.slice(0, 1).map(completed)), [
        { outcome: 'changed' },
      ]);
      assert.deepEqual(await changesOf(store, 'store-1'), []);
      assert.equal(
        (await numberAll()).reduce((sum, count) => sum + count, 0),
        4,
      );
      assert.deepEqual(await shownChanges(store, 'store-1'), ['a new completed', 'b new pending']);
      await record(store, rows.map(completed));
      const all = ['a new completed', 'b new pending', 'b pending completed'];
      assert.deepEqual(await shownChanges(store, 'store-1'), all);
      await assertChangesMakeTheTable(store, 'store-1');
      assert.deepEqual(
        (await changesOf(store, 'store-2')).map((change) => change.transaction.status),
        ['pending', 'pending'],
      );
      await assertChangesMakeTheTable(store, 'store-2');
    });

    test('a completion that it recorded of a numbered pending one is numbered later', async () => {
      const row = pending('store-1', 'p');
      await record(store, [row]);
      await completeOld(completed(row));
      assert.deepEqual(await shownChanges(store, 'store-1'), ['p new pending']);
      assert.deepEqual(await store.recordTransactions([completed(row)]), [{ outcome: 'unchanged' }]);
      assert.deepEqual(await numberAll(), [1]);
      assert.deepEqual(await shownChanges(store, 'store-1'), ['p new pending', 'p pending completed']);
      await assertChangesMakeTheTable(store, 'store-1');
    });

    test('are numbered in steps, also by several instances while others record', async () => {
      const count = 8000;
      await harness.execute(
        `INSERT INTO transactions (account, reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
         SELECT 'store-' || (i % 3), 'store-' || (i % 3) || '.' || i, CASE WHEN i % 7 = 0 THEN 'pending' ELSE 'completed' END,
           i, 'EUR', CASE WHEN i % 7 = 0 THEN NULL ELSE i END, (i * 7919) % 1000 FROM n`,
      );
      const other = await harness.open();
      const steps: number[] = [];
      let recorded = 0;
      const numbering = [store, other].map(async (instance) => {
        for (;;) {
          const step = await instance.numberTransactions();
          if (step === 0) return;
          steps.push(step);
        }
      });
      let isNumbered = false;
      const all = Promise.all(numbering).then(() => {
        isNumbered = true;
      });
      while (!isNumbered || recorded < 20) {
        await recordOrWait(store, [transaction(`store-${recorded % 3}`, `new-${recorded}`)]);
        recorded++;
      }
      await all;
      assert.equal(
        steps.reduce((sum, step) => sum + step, 0),
        count,
      );
      assert.ok(Math.max(...steps) <= 5000, `a step numbered ${Math.max(...steps)}`);
      assert.equal(await store.numberTransactions(), 0);
      for (const account of ['store-0', 'store-1', 'store-2']) {
        const old = (await changesOf(store, account)).filter(
          (change) => !change.transaction.reference.includes('new'),
        );
        const order = old.map(({ transaction: { createdAtMs, reference } }) => ({
          createdAtMs,
          reference,
        }));
        assert.deepEqual(
          order,
          order.toSorted(
            (left, right) =>
              left.createdAtMs - right.createdAtMs || (left.reference < right.reference ? -1 : 1),
          ),
        );
        await assertChangesMakeTheTable(store, account);
      }
    });
  });
}
