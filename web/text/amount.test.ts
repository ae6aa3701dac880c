import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import { groupedAmount } from './amount.ts';

test('an amount is grouped as in its language', () => {
  assert.equal(groupedAmount('-1234.50'), '\u22121,234.50');
  assert.equal(groupedAmount('-1234567.80', 'EUR', 'de'), '\u22121.234.567,80');
  assert.equal(groupedAmount('1234567.80', undefined, 'en-IN'), '12,34,567.80');
  assert.equal(groupedAmount('1980.00', 'JPY'), '1,980');
  assert.equal(groupedAmount('1980.50', 'JPY'), '1,980.50');
  assert.equal(groupedAmount('1980.00', 'KWD'), '1,980.00');
});

test('no digit of an amount is lost, however long it is', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
      const amount = `${whole}.${String(cents).padStart(2, '0')}`;
      const grouped = groupedAmount(amount);
      assert.equal(grouped.replaceAll(',', ''), amount);
      assert.match(grouped, /^\d{1,3}(,\d{3})*\.\d{2}$/);
    }),
  );
});
