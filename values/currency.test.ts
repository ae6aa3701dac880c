import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { CURRENCY_FORM, CURRENCY_LIST_DATE, explainCurrency, isActiveCurrency } from './currency.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

test('the active list has 178 codes, and changes only together with its date', () => {
  const active: string[] = [];
  for (const first of LETTERS)
    for (const second of LETTERS)
      for (const third of LETTERS)
        if (isActiveCurrency(first + second + third)) active.push(first + second + third);
  assert.equal(active.length, 178);
  for (const code of active) assert.match(code, new RegExp(CURRENCY_FORM));
  for (const text of ['', 'EU', 'EURO', 'eur', ' EUR']) assert.doesNotMatch(text, new RegExp(CURRENCY_FORM));
  assert.deepEqual(
    [CURRENCY_LIST_DATE, createHash('sha256').update(active.join()).digest('hex')],
    ['2026-01-01', 'fe1ef9ae4a25468f5649a200851aa0102cff43c0a31e2f543898b2d5735b3222'],
  );
});

test('codes of currencies, funds and metals are active', () => {
  for (const code of ['EUR', 'USD', 'JPY', 'KWD', 'VED', 'XCG', 'SLE', 'ZWG', 'XAD', 'CHE', 'XAU'])
    assert.equal(isActiveCurrency(code), true, code);
});

test('XTS for tests and XXX for transactions without a currency are active', () => {
  for (const code of ['XTS', 'XXX']) assert.equal(isActiveCurrency(code), true, code);
});

test('withdrawn codes are refused', () => {
  for (const code of ['DEM', 'BGN', 'HRK', 'ANG', 'CUC', 'SLL', 'ZWL', 'VEF', 'LTL', 'MRO', 'STD', 'BYR'])
    assert.equal(isActiveCurrency(code), false, code);
});

test('a code is matched exactly', () => {
  for (const text of [
    '',
    'eur',
    'Eur',
    ' EUR',
    'EUR ',
    'EUR\n',
    'EU',
    'EURO',
    '978',
    'ＥＵＲ',
    'EUR USD',
    'constructor',
  ])
    assert.equal(isActiveCurrency(text), false, JSON.stringify(text));
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
