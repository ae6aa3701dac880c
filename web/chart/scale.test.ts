import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import { cutTo, ticksOf, tickTexts } from './scale.ts';

test('the axis has round values around 0 and every amount', () => {
  assert.deepEqual(ticksOf([0, 2341.5, 1800]), [0, 1000, 2000, 3000]);
  assert.deepEqual(ticksOf([-120, 40]), [-200, -100, 0, 100]);
  assert.deepEqual(ticksOf([]), [0]);
  assert.deepEqual(ticksOf([0, 0]), [0]);
});

test('the amounts that bars are compared with are cut at the ends of the axis', () => {
  assert.deepEqual(cutTo([-20, 0, 100], [99, 100, 9000, -20, -21]), [99, 100, 100, -20, -20]);
});

test('the axis contains 0 and all amounts, in a few even steps', () => {
  const amount = fc
    .double({ min: -1e28, max: 1e28, noNaN: true })
    .filter((one) => one === 0 || Math.abs(one) >= 0.01);
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), (amounts) => {
      const ticks = ticksOf(amounts);
      assert.ok(ticks.includes(0));
      assert.ok(ticks.length <= 6, `${ticks.length} ticks`);
      const size = Math.max(...amounts.map(Math.abs)) * 1e-9;
      assert.ok((ticks[0] as number) <= Math.min(0, ...amounts) + size);
      assert.ok((ticks.at(-1) as number) >= Math.max(0, ...amounts) - size);
    }),
  );
});

test('values of the axis are short, and all in one form', () => {
  assert.deepEqual(tickTexts([-2000, 0, 2000]), ['\u22122,000', '0', '2,000']);
  assert.deepEqual(tickTexts([0, 0.05, 0.1]), ['0', '0.05', '0.1']);
  assert.deepEqual(tickTexts([0, 5000, 10_000]), ['0', '5K', '10K']);
  assert.deepEqual(tickTexts([0, 500_000, 1_000_000]), ['0', '500K', '1M']);
  assert.deepEqual(tickTexts([-5e27, 0, 5e27]), ['\u22125E27', '0', '5E27']);
  for (const text of tickTexts([0, 3 * 2e27])) assert.ok(text.length < 8, text);
});
