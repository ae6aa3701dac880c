import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArgumentError, fromMinorUnits, toDate, toMinorUnits, utcDay } from '../../client/src/index.ts';
import { formatAmount } from '../../values/amount.ts';
import { formatDay, formatTimestamp } from '../../values/calendar.ts';
import { fc } from '../rig/run/properties.ts';

const MAX_MINOR = Number.MAX_SAFE_INTEGER;

test('an amount converts to hundredths and back exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: -MAX_MINOR, max: MAX_MINOR }), (minor) => {
      const amount = formatAmount(minor);
      assert.equal(toMinorUnits(amount), BigInt(minor));
      assert.equal(fromMinorUnits(BigInt(minor)), amount);
    }),
  );
  assert.equal(toMinorUnits('90071992547409931.07'), 9_007_199_254_740_993_107n);
  assert.equal(fromMinorUnits(-5n), '-0.05');
  assert.equal(toMinorUnits('-0.05'), -5n);
});

test('a text that is not an amount is refused, not rounded', () => {
  for (const wrong of [
    '',
    '1',
    '1.5',
    '1.234',
    '1,50',
    '+1.50',
    ' 1.50',
    '1.50\n',
    '.50',
    '1e2.00',
    '١.٥٠',
    'NaN',
    '00.50',
    '-0.00',
  ]) {
    assert.throws(() => toMinorUnits(wrong), ArgumentError, JSON.stringify(wrong));
  }
  for (const wrong of [150, 1.5, Number.NaN, '150', null, undefined])
    assert.throws(() => fromMinorUnits(wrong as never), ArgumentError, String(wrong));
});

test('a timestamp converts to its instant, and an instant to the day that the filters use', () => {
  const timeMs = fc.integer({
    min: Date.parse('0001-01-01T00:00:00.000Z'),
    max: Date.UTC(9999, 11, 31),
  });
  fc.assert(
    fc.property(timeMs, (milliseconds) => {
      assert.equal(toDate(formatTimestamp(milliseconds)).getTime(), milliseconds);
      assert.equal(utcDay(new Date(milliseconds)), formatDay(Math.floor(milliseconds / 86_400_000)));
    }),
  );
  for (const wrong of [
    '',
    '2026-03-01',
    '2026-03-01T00:00:00Z',
    '2026-13-01T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    'today',
  ]) {
    assert.throws(() => toDate(wrong), ArgumentError, wrong);
  }
  for (const wrong of [Number.NaN, Date.UTC(-5, 0), Date.UTC(10_000, 0)]) {
    assert.throws(() => utcDay(new Date(wrong)), ArgumentError);
  }
});
