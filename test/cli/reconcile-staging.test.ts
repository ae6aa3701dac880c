import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SqliteReconcileStaging } from '../../client/commands/reconcile/sqlite-reconcile-staging.ts';
import { MemoryReconcileStaging } from '../../client/reconcile/memory-reconcile-staging.ts';
import { fc } from '../rig/run/properties.ts';

const key = fc.constantFrom(null, 'a', 'b');
const content = fc.constantFrom('1', '2', '3');

test('staged rows come in the same order from memory and from SQLite', () => {
  const lines = fc.array(fc.record({ key, form: fc.nat(2), content }), { maxLength: 12 });
  const transactions = fc.array(fc.record({ pass: fc.nat(1), key, content, rest: content }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(lines, transactions, (someLines, someTransactions) => {
      const results = [new MemoryReconcileStaging(), new SqliteReconcileStaging()].map((staging) => {
        staging.stageLines(someLines.map((one, index) => ({ ...one, line: index + 1 })));
        for (const { pass, ...one } of someTransactions) staging.stageTransactions(pass, [one]);
        const passes = [0, 1].map((pass) =>
          [...staging.rowsOf(pass, [0, pass + 1])].map((row) => ({ ...row })),
        );
        staging.stageUnequal(passes.flat());
        const unequal = [...staging.unequalRows()].map((row) => ({ ...row }));
        staging.close();
        return { passes, unequal };
      });
      assert.deepEqual(results[0], results[1]);
    }),
  );
});
