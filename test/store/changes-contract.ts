import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordOnce } from '../../src/ledger/record/record.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import {
  assertChangesMakeTheTable,
  changesOf,
  completed,
  pending,
  shownChanges,
} from '../rig/data/changes.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { eachHarness } from '../rig/store/each-harness.ts';
import { importInto } from '../rig/store/import.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';

export function changesContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`the changes on ${name}`, () => {
    const { harness, store } = eachHarness(makeHarness);

    const fieldsOf = ({ account: _, ...fields }: AccountTransaction) => fields;

    test('have the nonce of their commit, which no other commit has, and keep it', async () => {
      const row = pending('store-1', 'a');
      await record(store, [row, transaction('store-1', 'b'), transaction('store-2', 'b')]);
      await record(store, [row]);
      await record(store, [completed(row)]);
      await record(store, [transaction('store-2', 'c')]);
      const once = { key: 'key 1', fingerprint: 'a'.repeat(64) };
      await recordOnce(store, transaction('store-2', 'd'), once);
      const noncesOf = async (account: string) => (await changesOf(store, account)).map(({ nonce }) => nonce);
      const [a, b, aAgain, ...none] = await noncesOf('store-1');
      const [ofOther, c, d] = await noncesOf('store-2');
      // On Citus, each payment of the first `record` has its own commit.
      if (b === a) assert.equal(ofOther, a);
      assert.equal(new Set([a, aAgain, c, d]).size, 4);
      assert.deepEqual(none, []);
      for (const nonce of [a, b, aAgain, ofOther, c, d])
        assert.ok(Number.isSafeInteger(nonce) && Number(nonce) > 0, String(nonce));
      assert.deepEqual(await noncesOf('store-1'), [a, b, aAgain]);
    });

    test('that an account does not have are found by their number and nonce', async () => {
      await record(store, [pending('store-1', 'a'), transaction('store-1', 'b'), pending('store-2', 'a')]);
      await record(store, [completed(pending('store-1', 'a'))]);
      const known = (await changesOf(store, 'store-1')).map(({ sequence, nonce }) => ({
        sequence,
        nonce,
        ageMs: 60_000.5,
      }));
      assert.equal(known.length, 3);
      assert.deepEqual(await store.findMissingChanges('store-1', known), []);
      const others = known.map((one) => ({ ...one, nonce: one.nonce - 1 }));
      const beyond = { sequence: 4, nonce: known[2]?.nonce as number, ageMs: 60_000.5 };
      const mixed = [...known, ...others, known[1] as (typeof known)[number], beyond];
      assert.deepEqual((await store.findMissingChanges('store-1', mixed)).sort(), [3, 4, 5, 7]);
      assert.deepEqual((await store.findMissingChanges('store-3', known)).sort(), [0, 1, 2]);
      assert.deepEqual((await store.findMissingChanges('store-2', known.slice(1))).sort(), [0, 1]);
    });

    test('continue after the largest number if the head of the account was lost', async () => {
      await record(store, [pending('store-1', 'a'), transaction('store-1', 'b')]);
      await harness.execute(`DELETE FROM accounts WHERE account = 'store-1'`);
      await record(store, [transaction('store-1', 'c'), pending('store-1', 'd')]);
      await record(store, [completed(pending('store-1', 'd'))]);
      await harness.execute(`DELETE FROM accounts WHERE account = 'store-1'`);
      await record(store, [completed(pending('store-1', 'a'))]);
      assert.deepEqual(await shownChanges(store, 'store-1'), [
        'a new pending',
        'b new completed',
        'c new completed',
        'd new pending',
        'd pending completed',
        'a pending completed',
      ]);
    });

    test('of one transaction are the same as in the feed of its own account', async () => {
      const rows = [pending('store-1', 'a'), transaction('store-1', 'b'), pending('store-1', 'c')];
      const [, , last] = rows as [AccountTransaction, AccountTransaction, AccountTransaction];
      const others = rows.map((row) => ({ ...row, account: 'store-2', currencyCode: 'XTS' })).reverse();
      await record(store, others);
      await record(store, rows);
      await record(store, [completed(last), transaction('store-2', 'd')]);
      for (const account of ['store-1', 'store-2']) {
        const all = await changesOf(store, account);
        for (const { reference } of rows) {
          const expected = all.filter(({ transaction: shown }) => shown.reference === reference);
          assert.deepEqual(await store.listTransactionChanges(account, reference), expected, reference);
        }
      }
      assert.equal((await store.listTransactionChanges('store-1', last.reference))?.length, 2);
      assert.equal(await store.listTransactionChanges('store-1', 'store-2.d'), undefined);
    });

    test('belong to one account: each has its own numbers, also in one group', async () => {
      const rows = Array.from({ length: 30 }, (_, index) =>
        (index % 3 === 0 ? pending : transaction)(`store-${[1, 2, 10, 1][index % 4]}`, `t${index}`),
      );
      await record(store, rows);
      for (const account of ['store-1', 'store-2', 'store-10']) {
        const own = rows.filter((row) => row.account === account);
        assert.deepEqual(
          (await changesOf(store, account)).map((change) => change.transaction),
          own.map(fieldsOf),
        );
      }
      assert.deepEqual(await changesOf(store, 'store'), []);
      assert.deepEqual(
        await store.readHeads(['store-1', 'store', 'store-10']),
        new Map([
          ['store-1', 15],
          ['store-10', 7],
        ]),
      );
      assert.deepEqual(await store.readHeads([]), new Map());
    });

    test('are numbered by every way of recording: alone, in groups, under a key and by imports', async () => {
      const group = Array.from({ length: 10 }, (_, index) => pending('store-1', `g${index}`));
      await record(store, [pending('store-1', 'alone')]);
      await record(store, group);
      const once = { key: 'k', fingerprint: 'f'.repeat(64) };
      await recordOnce(store, transaction('store-1', 'once'), once);
      const imported = Array.from({ length: 300 }, (_, index) =>
        transaction(index % 2 === 0 ? 'store-1' : 'store-2', `i${(index * 7919) % 300}`, {
          createdAtMs: DAY('2026-02-01') + (index % 5),
        }),
      );
      const { recorded } = await importInto(store, [...imported, ...group.slice(2, 4).map(completed)]);
      assert.equal(recorded.end, 'completed');
      await record(store, [
        completed(pending('store-1', 'alone')),
        completed(group[0] as AccountTransaction),
      ]);
      const changes = await changesOf(store, 'store-1');
      assert.equal(changes.length, 1 + 10 + 1 + 150 + 2 + 2);
      assert.deepEqual(await shownChanges(store, 'store-1').then((all) => all.slice(-2)), [
        'alone pending completed',
        'g0 pending completed',
      ]);
      for (const account of ['store-1', 'store-2']) await assertChangesMakeTheTable(store, account);

      const importedOf = (account: string) =>
        imported
          .filter((row) => row.account === account)
          .sort(
            (left, right) =>
              left.createdAtMs - right.createdAtMs || (left.reference < right.reference ? -1 : 1),
          )
          .map(({ reference }) => reference);
      assert.deepEqual(
        (await changesOf(store, 'store-2')).map((change) => change.transaction.reference),
        importedOf('store-2'),
      );
      assert.deepEqual(
        changes.slice(12, 162).map((change) => change.transaction.reference),
        importedOf('store-1'),
      );
    });
  });
}
