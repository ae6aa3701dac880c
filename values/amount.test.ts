import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '../test/rig/run/properties.ts';
import {
  CURRENCY_FORM,
  CURRENCY_LIST_DATE,
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
