import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../test/rig/run/properties.ts';
import { formatAmount, MAX_AMOUNT_MINOR } from './amount.ts';
import { readWrittenAmount } from './written-amount.ts';

test('an amount is read as people write it', () => {
  for (const [text, ...amounts] of [
    ['149', '149.00'],
    ['149.00', '149.00'],
    ['49,9', '49.90'],
    ['0012.50', '12.50'],
    ['+5', '5.00'],
    ['\u22125,10', '-5.10'],
    ['149,-', '149.00'],
    ['149.--', '149.00'],
    ['149,\u2013', '149.00'],
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ["1'500", '1500.00'],
    ['1\u2019234\u2019567.5', '1234567.50'],
    ['1 500', '1500.00'],
    ['1\u00a0500', '1500.00'],
    ['1\u202f234\u202f567,50', '1234567.50'],
    ['1,23,456.00', '123456.00'],
    ['12,34,567', '1234567.00'],
    ['1.234.567', '1234567.00'],
    ['\uff11\uff0c\uff12\uff13\uff14\uff0e\uff15\uff10', '1234.50'],
    ['\u06f1\u06f2\u06f3\u06f4\u066b\u06f5', '1234.50'],
    ['\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0660', '1234.50'],
    ['\u200f-\u0661\u0662', '-12.00'],
    ['0.500', '0.50'],
    ['1234.500', '1234.50'],
    ['1,234.500', '1234.50'],
    ['9.999.999.999.999,99', '9999999999999.99'],
  ] as const)
    assert.deepEqual(readWrittenAmount(text), amounts, text);
});

test('three digits after the only separator are read as thousands first, then as decimals if the last one is 0', () => {
  assert.deepEqual(readWrittenAmount('1.500'), ['1500.00', '1.50']);
  assert.deepEqual(readWrittenAmount('1,500'), ['1500.00', '1.50']);
  assert.deepEqual(readWrittenAmount('-12,120'), ['-12120.00', '-12.12']);
  assert.deepEqual(readWrittenAmount('1.234'), ['1234.00']);
  assert.deepEqual(readWrittenAmount("1'500"), ['1500.00']);
});

test('a text that is not an amount has no readings', () => {
  for (const text of [
    ['', '-', '.5', '5.', '5.,', '1,2,3', '1.2345', '1.234,567', '12.11.2026', '1,23,45', '01.234.567'],
    ['1.50.', '12.50-', '1e3', '0x10', '12.50 EUR', '#149', '1-2', '10000000000000', '1 2', '\u4e00'],
  ].flat())
    assert.deepEqual(readWrittenAmount(text), [], text);
});

const LOCALES =
  'ar ar-EG bg bn ckb cs da de de-AT de-CH dz el en en-IN en-ZA es es-MX et fa fi fr fr-CH gu he hi hr hu hy id is it it-CH ja ka kk km kn ko lt lv mn mr mt my nb ne nl pl ps pt-BR pt-PT ro ru sk sl sq sv sw ta te th tr uk ur uz vi zh'.split(
    ' ',
  );

test('an amount written by any locale is read as the same amount', () => {
  const cents = fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR });
  const written = fc.tuple(
    fc.oneof(fc.integer({ min: -10_000_000, max: 10_000_000 }), cents),
    fc.constantFrom(...LOCALES),
  );
  fc.assert(
    fc.property(written, ([amountMinor, locale]) => {
      const amount = formatAmount(amountMinor);
      const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 });
      assert.deepEqual(readWrittenAmount(format.format(amount as `${number}`)), [amount]);
      const whole = amount.replace(/\.\d\d$/, '') as `${number}`;
      const [first] = readWrittenAmount(new Intl.NumberFormat(locale).format(whole));
      assert.equal(first, `${whole.replace(/^-0$/, '0')}.00`);
    }),
  );
});
