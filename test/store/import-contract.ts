import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ListFilter, NO_FILTER } from '../../src/ledger/list/list.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { Store } from '../../src/store/store.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { beginImport, importInto } from '../rig/store/import.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';

export function importContract(store: Store, harness: StoreHarness): void {
  const listed = async (account: string, filter: ListFilter = NO_FILTER, from = store) =>
    (await from.listTransactions({ account, filter, after: null }, 30_000)).transactions.map(
      ({ reference }) => reference,
    );
  const counts = (recorded: number, changed = 0, unchanged = 0, conflicts = 0) => ({
    recorded,
    changed,
    unchanged,
    conflicts,
  });

  const importing = async (rows: readonly AccountTransaction[]) => {
    const { checked, recorded } = await importInto(store, rows);
    assert.equal(recorded.end, 'completed');
    assert.deepEqual(recorded.conflicts, []);
    assert.deepEqual(
      [recorded.counts.recorded, recorded.counts.changed],
      [checked.counts.recorded, checked.counts.changed],
    );
    return checked;
  };

  describe('an import', () => {
    test('shows nothing while it is checked, and everything once it is recorded', async () => {
      const into = await beginImport(store, [transaction('store-1', 'a'), transaction('store-2', 'b')]);
      assert.deepEqual((await into.check()).counts, counts(2));
      assert.deepEqual(await listed('store-1'), []);
      await into.record();
      await into.close();
      const other = await harness.open();
      assert.deepEqual(await listed('store-1', NO_FILTER, other), ['store-1.a']);
      assert.deepEqual(await listed('store-2', NO_FILTER, other), ['store-2.b']);
    });

    test('that is stopped has recorded whole transactions, and repeating it records the rest', async () => {
      const rows = Array.from({ length: 2000 }, (_, index) =>
        transaction('store-1', String(index), { createdAtMs: index }),
      );
      const into = await beginImport(store, rows);
      await into.check();
      let calls = 0;
      const stopped = await into.record(() => calls++ >= 2);
      await into.close();
      assert.equal(stopped.end, 'stopped');
      assert.ok(stopped.transactions > 0 && stopped.transactions < 2000, String(stopped.transactions));
      assert.equal(stopped.last?.createdAtMs, stopped.transactions - 1);
      assert.equal((await listed('store-1')).length, stopped.transactions);
      const { counts: rest } = await importing(rows);
      assert.deepEqual(rest, counts(2000 - stopped.transactions, 0, stopped.transactions));
      assert.equal((await listed('store-1')).length, 2000);
    });

    test('reports a line that contradicts a transaction recorded since the check, and records the other lines', async () => {
      const other = await harness.open();
      const pending = transaction('store-1', 'd', { status: 'pending' });
      await record(store, [pending]);
      const paid = { ...pending, status: 'completed', paidAtMs: pending.createdAtMs };
      const into = await beginImport(store, [
        transaction('store-1', 'a'),
        transaction('store-1', 'b'),
        transaction('store-1', 'c'),
        paid,
      ]);
      assert.deepEqual((await into.check()).counts, counts(3, 1));
      await record(other, [
        transaction('store-1', 'b', { amountMinor: 1 }),
        transaction('store-1', 'c'),
        paid,
      ]);
      const recorded = await into.record();
      await into.close();
      assert.equal(recorded.end, 'completed');
      assert.deepEqual(recorded.counts, counts(1, 0, 2, 1));
      assert.deepEqual(recorded.conflicts, [
        {
          line: 2,
          contradictedLine: null,
          differences: [{ field: 'amount', recorded: '0.01', given: '12.50' }],
        },
      ]);
      assert.deepEqual(
        (await listed('store-1')).toSorted(),
        ['a', 'b', 'c', 'd'].map((name) => `store-1.${name}`),
      );
    });

    test('reports a line that the database refuses, and records the other lines', async () => {
      const { recorded } = await importInto(store, [
        transaction('store-1', 'a'),
        transaction('store-1', 'b', { merchantReference: '' }),
        transaction('store-1', 'c'),
      ]);
      assert.equal(recorded.end, 'completed');
      assert.deepEqual(recorded.counts, counts(2));
      assert.equal(recorded.refused, 1);
      assert.deepEqual([...recorded.refusedLines.keys()], [2]);
      assert.deepEqual((await listed('store-1')).toSorted(), ['store-1.a', 'store-1.c']);
    });

    test('that is repeated accepts a pending line if a later line has the recorded state', async () => {
      const pending = transaction('store-1', 'a', { status: 'pending' });
      const paid = { ...pending, status: 'completed', paidAtMs: pending.createdAtMs };
      await importing([pending, paid]);
      const repeated = await importing([pending, pending, transaction('store-1', 'b'), paid]);
      assert.deepEqual(repeated, { counts: counts(1, 0, 3), conflicts: [] });
      for (const [lines, unchanged, contradicting] of [
        [[pending, transaction('store-1', 'b')], 1, 1],
        [[paid, pending], 1, 2],
        [[{ ...pending, amountMinor: 1 }, paid], 1, 1],
        [[pending, { ...paid, paidAtMs: pending.createdAtMs + 1 }], 0, 2],
      ] as const) {
        const { counts: found, conflicts } = await importing([...lines]);
        assert.deepEqual(found, counts(0, 0, unchanged, lines.length - unchanged));
        assert.equal(conflicts.at(-1)?.line, contradicting);
      }
    });

    for (const held of [[], [transaction('store-1', 'other')]]) {
      test(`compares its lines with each other in their order, in an account with ${held.length} recorded`, async () => {
        await record(store, held);
        const pending = transaction('store-1', 'a', { status: 'pending' });
        const paid = { ...pending, status: 'completed', paidAtMs: pending.createdAtMs };
        const { counts: found, conflicts } = await importing([
          pending,
          transaction('store-1', 'b'),
          paid,
          paid,
          pending,
          transaction('store-1', 'b'),
          transaction('store-1', 'b', { createdAtMs: 1, paidAtMs: DAY('2026-03-01') }),
        ]);
        assert.deepEqual(found, counts(2, 1, 2, 2));
        assert.deepEqual(
          conflicts.map(({ line, contradictedLine }) => [line, contradictedLine]),
          [
            [5, 3],
            [7, 2],
          ],
        );
        assert.equal((await store.retrieveTransaction('store-1', paid.reference))?.status, 'completed');
      });
    }
  });
}
