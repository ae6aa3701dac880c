import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount, parseAmount } from './amount.ts';

test('an amount of at most two decimals is kept exactly', () => {
  assert.equal(parseAmount('12.50'), 1250);
  assert.equal(parseAmount('0.07'), 7);
  assert.equal(parseAmount('-3'), -300);
  assert.equal(parseAmount('9999999999999.99'), 999_999_999_999_999);
  assert.equal(formatAmount(7), '0.07');
  assert.equal(formatAmount(-1250), '-12.50');
});

test('an amount that two decimals can not carry is refused', () => {
  for (const text of ['1.234', '1,00', '', ' 1.00', '1e3', '+1', '01.00', '10000000000000.00', '.5', '5.']) {
    assert.equal(parseAmount(text), undefined, text);
  }
});
