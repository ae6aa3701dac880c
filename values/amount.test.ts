import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '../test/rig/run/properties.ts';
import {
  CURRENCY_FORM,
  CURRENCY_LIST_DATE,
  explainAmount,
  explainCurrency,
  formatAmount,
  formatSum,
  isActiveCurrency,
  MAX_AMOUNT_MINOR,
  parseAmount,
} from './amount.ts';

test('an amount in another form, or with more decimals or digits, is refused, and never trimmed, completed or rounded', () => {
  for (const text of [
    ...['', ' ', ' 1.00', '1.00 ', '1.00\n', '+1', '01.00', '00', '-01', '.5', '5.', '.', '-', '--1', '1-'],
    ...['1,00', '1.000,00', '1 000', '1_000', "1'000", '€1', '1EUR', '0x10', '1n', '١', '１', '−1', '1.5.0'],
    ...['NaN', 'Infinity', 'null', '1.-5', '1.0e2', '1e3', '1.234', '1.230', '0.001'],
    ...['10000000000000', '10000000000000.00', '-10000000000000'],
    ...['-0', '-0.0', '-0.00'],
  ])
    assert.equal(parseAmount(text), undefined, JSON.stringify(text));
});

test('an amount is written with exactly two decimals, and reading that gives the same amount', () => {
  assert.deepEqual([-0, 7, -1250].map(formatAmount), ['0.00', '0.07', '-12.50']);
  fc.assert(
    fc.property(fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }), (amountMinor) => {
      const text = formatAmount(amountMinor);
      assert.match(text, /^-?(0|[1-9]\d*)\.\d{2}$/);
      assert.equal(parseAmount(text), amountMinor);
      assert.equal(BigInt(text.replace('.', '')), BigInt(amountMinor));
    }),
  );
});

test('parsing agrees with exact integer arithmetic', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.bigInt({ min: 0n, max: 9_999_999_999_999n }),
      fc.option(fc.stringMatching(/^\d{1,2}$/), { nil: undefined }),
      (negative, whole, decimals) => {
        const text = `${negative ? '-' : ''}${whole}${decimals === undefined ? '' : `.${decimals}`}`;
        const minor = whole * 100n + BigInt((decimals ?? '').padEnd(2, '0'));
        const expected = negative && minor === 0n ? undefined : Number(negative ? -minor : minor);
        assert.equal(parseAmount(text), expected);
      },
    ),
  );
});

test('the error for a refused amount says why, and what to write', () => {
  const form = 'write a decimal number with two decimals, for example 12.50';
  assert.equal(explainAmount(''), `is empty; ${form}`);
  for (const text of ['1.234', '-0.001', '12.345'])
    assert.equal(explainAmount(text), `"${text}" has more than two decimals, so it cannot be stored exactly`);
  assert.match(
    explainAmount('1.234', 'KWD'),
    /stored exactly; the specification writes amounts with two decimals/,
  );
  assert.match(explainAmount('1.234', 'EUR'), /stored exactly$/);
  for (const text of ['10000000000000', '10000000000000.00', '-99999999999999.9'])
    assert.equal(explainAmount(text), `"${text}" is too large; write at most 13 digits before the point`);
  assert.equal(explainAmount('-0.00'), '"-0.00" is zero with a sign; write 0.00');
  for (const text of ['1,50', ',5', '-1,000.00'])
    assert.equal(explainAmount(text), `"${text}" has a comma; ${form}`);
  for (const text of [
    'abc',
    '1.',
    '01.00',
    '1.00 ',
    '1e3',
    ',',
    'x1.234',
    '1.234x',
    'x10000000000000',
    '10000000000000x',
    'x1,5',
  ])
    assert.equal(explainAmount(text), `${JSON.stringify(text)} is not an amount; ${form}`);
});

test('a sum is exact beyond 64 bits, and formatted like an amount', () => {
  const sums: [sumMinor: bigint, text: string][] = [
    [0n, '0.00'],
    [7n, '0.07'],
    [-7n, '-0.07'],
    [-100n, '-1.00'],
    [102_450n, '1024.50'],
    [BigInt(MAX_AMOUNT_MINOR), '9999999999999.99'],
    [2n ** 63n, '92233720368547758.08'],
    [-(2n ** 64n) - 1n, '-184467440737095516.17'],
    [10n ** 40n + 1n, `${10n ** 38n}.01`],
  ];
  for (const [sumMinor, text] of sums) assert.equal(formatSum(sumMinor), text);
  fc.assert(
    fc.property(fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }), (amountMinor) => {
      assert.equal(formatSum(BigInt(amountMinor)), formatAmount(amountMinor));
    }),
  );
});

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

test('the active list has 178 codes, and changes only together with its date', () => {
  const active: string[] = [];
  for (const first of LETTERS)
    for (const second of LETTERS)
      for (const third of LETTERS)
        if (isActiveCurrency(first + second + third)) active.push(first + second + third);
  assert.equal(active.length, 178);
  for (const code of active) assert.match(code, new RegExp(CURRENCY_FORM));
  for (const text of ['', 'EU', 'EURO', 'eur', ' EUR', 'EUR\n', 'constructor', 'ＥＵＲ']) {
    assert.doesNotMatch(text, new RegExp(CURRENCY_FORM));
    assert.equal(isActiveCurrency(text), false);
  }
  assert.deepEqual(
    [CURRENCY_LIST_DATE, createHash('sha256').update(active.join()).digest('hex')],
    ['2026-01-01', 'fe1ef9ae4a25468f5649a200851aa0102cff43c0a31e2f543898b2d5735b3222'],
  );
});

test('the error for a refused code says why, with the code that was probably meant', () => {
  const form = 'Write a three-letter ISO 4217 code in upper case, for example EUR.';
  assert.equal(explainCurrency(''), `The value is empty. ${form}`);
  assert.equal(explainCurrency('usd'), '"usd" is not a currency code: did you mean USD?');
  assert.equal(explainCurrency(' EUR'), '" EUR" is not a currency code: did you mean EUR?');
  assert.equal(explainCurrency('DEM'), `DEM is not an active ISO 4217 code (list of ${CURRENCY_LIST_DATE}).`);
  assert.equal(explainCurrency('dem'), `"dem" is not a currency code. ${form}`);
  assert.equal(explainCurrency('EURO'), `"EURO" is not a currency code. ${form}`);
});
