import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import { pairLines } from './pair-lines.ts';

function firstOfAll(possible: readonly (readonly boolean[])[], transactions: number): number[] {
  const canAll = (chosen: readonly number[], free: readonly number[]): boolean => {
    const [first, ...rest] = chosen;
    if (first === undefined) return true;
    return free.some(
      (line) =>
        possible[line]?.[first] === true &&
        canAll(
          rest,
          free.filter((other) => other !== line),
        ),
    );
  };
  const chosen: number[] = [];
  for (let transaction = 0; transaction < transactions; transaction++)
    if (canAll([...chosen, transaction], [...possible.keys()])) chosen.push(transaction);
  return chosen;
}

test('as many lines as possible are paired with possible transactions, and earlier transactions take precedence', () => {
  const cases = fc.integer({ min: 0, max: 5 }).chain((transactions) =>
    fc.tuple(
      fc.constant(transactions),
      fc.array(fc.array(fc.boolean(), { minLength: transactions, maxLength: transactions }), {
        maxLength: 5,
      }),
    ),
  );
  fc.assert(
    fc.property(cases, ([transactions, possible]) => {
      const pairs = pairLines(possible.length, transactions, (line, one) => possible[line]?.[one] === true);
      const paired = pairs.filter((one) => one !== undefined);
      assert.deepEqual(
        [...paired].sort((left, right) => left - right),
        firstOfAll(possible, transactions),
      );
      for (const [line, one] of pairs.entries()) assert.ok(one === undefined || possible[line]?.[one]);
    }),
  );
});

test('many lines and transactions of one key are paired quickly, even if most find no pair', () => {
  let asked = 0;
  const isPossible = () => {
    asked++;
    return true;
  };
  assert.equal(pairLines(1000, 5000, isPossible).filter((one) => one === undefined).length, 0);
  assert.ok(asked <= 10_000, `${asked} questions`);
});
