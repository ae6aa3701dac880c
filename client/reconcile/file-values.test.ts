import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DateOrder,
  type FileForms,
  readAmount as readAmountText,
  readCurrency,
  readTime as readTimeText,
} from './file-values.ts';

const textOf = (read: ReturnType<typeof readTimeText>) => ('value' in read ? read.value : undefined);
const faultOf = (read: ReturnType<typeof readTimeText>) => ('fault' in read ? read.fault : undefined);
const readAmount = (text: string, decimalComma: boolean) => textOf(readAmountText(text, decimalComma));
const readTime = (text: string, dateOrder?: DateOrder, forms?: Partial<FileForms>) =>
  textOf(readTimeText(text, { dateOrder, ...forms }));

test('an amount is an exact decimal number, however it is written', () => {
  for (const [text, amount] of [
    ['12', '12.00'],
    ['12.0000', '12.00'],
    ['+12.5', '12.50'],
    ['0012.50', '12.50'],
    ['-0.01', '-0.01'],
    ['-0', '0.00'],
    ['9999999999999.99', '9999999999999.99'],
  ] as const) {
    assert.equal(readAmount(text, false), amount, text);
    assert.equal(readAmount(text.replace('.', ','), true), amount, text);
  }
  for (const [text, amount] of [
    ['1.234,50', '1234.50'],
    ['1.234.567', '1234567.00'],
    ['-1.234,5', '-1234.50'],
    ['12.000', '12000.00'],
    ['1 234,50', '1234.50'],
    ['1\u202F234\u00A0567,50 \u20AC', '1234567.50'],
    ["1'234,50", '1234.50'],
  ] as const)
    assert.equal(readAmount(text, true), amount, text);
  for (const [text, amount] of [
    ['1,234.50', '1234.50'],
    ['12,000', '12000.00'],
    ['12,34,567.00', '1234567.00'],
    ['1\u2019234.50', '1234.50'],
    [' 12.50', '12.50'],
    ['12.50 EUR', '12.50'],
    ['EUR -12.50', '-12.50'],
    ['-\u20AC12.50', '-12.50'],
    ['12.50-', '-12.50'],
    ['\u221212.50', '-12.50'],
    ['(12.50)', '-12.50'],
    ['12.50 S', '-12.50'],
    ['12.50 H', '12.50'],
    ['12.50CR', '12.50'],
  ] as const)
    assert.equal(readAmount(text, false), amount, text);
});

test('an amount that could mean two numbers is refused, with the cause', () => {
  for (const [text, decimalComma, fault] of [
    ['12,50', false, 'decimal_comma'],
    ['1.234,50', false, 'decimal_comma'],
    ['12.000', false, 'three_decimals'],
    ['12,000', true, 'three_decimals'],
    ['12.50', true, 'decimal_point'],
    ['1,234.50', true, 'decimal_point'],
    ['1.23.456', true, 'not_amount'],
    ['1.234 567,00', true, 'not_amount'],
    ['12.0001', false, 'finer_than_hundredths'],
    ['12.0010', false, 'finer_than_hundredths'],
    ['10000000000000', false, 'too_large'],
    ['-12.50-', false, 'not_amount'],
    ['(12.50', false, 'not_amount'],
    ['12.50 Tax', false, 'not_amount'],
    ['101,50*', true, 'not_amount'],
    ['EUR 12.50 Euro', false, 'not_amount'],
    ['1234,567.00', false, 'not_amount'],
    ['0,125', false, 'not_amount'],
    ['0.500', true, 'not_amount'],
    ['012,500.00', false, 'not_amount'],
    ['01,23,456.00', false, 'not_amount'],
    ['EUR 12.50 USD', false, 'not_amount'],
    ['.5', false, 'not_amount'],
    ['5.', false, 'not_amount'],
    ['1e3', false, 'not_amount'],
    ['', false, 'not_amount'],
  ] as const)
    assert.equal(faultOf(readAmountText(text, decimalComma)), fault, text);
});

test('an amount is read with its currency, and with whether it shows the decimal mark of the file', () => {
  for (const [text, decimalComma, form, currency] of [
    ['12', false, 'none', ''],
    ['12 500 USD', false, 'none', 'USD'],
    ['999,99 Euro', true, 'known', 'Euro'],
    ['US$ 12.50', false, 'known', 'US$'],
    ['-12,50 kr', true, 'known', 'kr'],
    ['12.50', false, 'known', ''],
    ['EUR 1,250', false, 'open', 'EUR'],
    ['-1.250 \u20AC', true, 'open', '\u20AC'],
    ['1,250.00', false, 'known', ''],
    ['1.250.000', true, 'known', ''],
  ] as const) {
    const read = readAmountText(text, decimalComma);
    assert.deepEqual('value' in read && [read.form, read.currency], [form, currency], text);
  }
});

test('a time is an instant, however it is written, and a day stays a day', () => {
  for (const text of [
    '2026-03-01T09:30:00.500Z',
    '2026-03-01T09:30:00.5Z',
    '2026-03-01 09:30:00,5Z',
    '2026-03-01T09:30:00.500000000Z',
    '2026-03-01T10:30:00.5+01:00',
    '2026-03-01T10:30:00.5+01',
    '2026-03-01T04:00:00.5-0530',
    ' 2026-02-28T23:30:00.5-10:00',
  ])
    assert.equal(readTime(text), '2026-03-01T09:30:00.500Z', text);
  assert.equal(readTime('2026-03-01T09:30:00Z'), '2026-03-01T09:30:00.000Z');
  assert.equal(readTime(' 2026-03-01 '), '2026-03-01');
});

test('a text that is not exactly one instant is refused, with the cause', () => {
  for (const [text, fault] of [
    ['2026-03-01T09:30:00', 'no_offset'],
    ['2026-03-01 09:30', 'no_offset'],
    ['2026-03-01T09:30:00.0001Z', 'finer_than_milliseconds'],
    ['2026-03-01T09:30Z', 'not_time'],
    ['2026-02-29', 'not_time'],
    ['2026-02-29T09:30:00Z', 'not_time'],
    ['2026-03-01T24:00:00Z', 'not_time'],
    ['2026-03-01T09:30:00+24:00', 'not_time'],
    ['0001-01-01T00:00:00+01:00', 'not_time'],
    ['32.03.2026', 'not_time'],
  ] as const)
    assert.equal(faultOf(readTimeText(text)), fault, text);
});

test('a date is read in each form that has one meaning, and in the given order', () => {
  for (const [text, day, order] of [
    ['31.10.2026', '2026-10-31'],
    ['1.3.2026', '2026-03-01'],
    ['05.06.26', '2026-06-05'],
    ['05.06.2026', '2026-06-05', 'mdy'],
    ['31/10/2026', '2026-10-31'],
    ['10/31/2026', '2026-10-31'],
    ['5/5/2026', '2026-05-05'],
    ['05/06/2026', '2026-06-05', 'dmy'],
    ['05/06/2026', '2026-05-06', 'mdy'],
    ['31-10-2026', '2026-10-31'],
    ['2026/10/31', '2026-10-31'],
    ['2026.10.31', '2026-10-31'],
    ['20261031', '2026-10-31'],
    ['31 Oct 2026', '2026-10-31'],
    ['31-Oct-26', '2026-10-31'],
    ['31. Oktober 2026', '2026-10-31'],
    ['1 f\u00E9vr. 2026', '2026-02-01'],
    ['1. M\u00E4rz 2026', '2026-03-01'],
    ['3 ao\u00FBt 2026', '2026-08-03'],
    ['1. Maerz 2026', '2026-03-01'],
    ['October 31, 2026', '2026-10-31'],
  ] as const)
    assert.equal(readTime(text, order), day, `${text} ${order}`);
  for (const [text, fault, dateOrder] of [
    ['05/06/2026', 'two_days', undefined],
    ['31/10/2026', 'other_order', 'mdy'],
    ['31.02.2026', 'not_time', undefined],
    ['31/10-2026', 'not_time', undefined],
    ['1/2/3', 'not_time', undefined],
    ['31 Foo 2026', 'not_time', undefined],
    // `marraskuuta` is November in Finnish. `jui` can be short for both juin and juillet in French.
    ['1. marraskuuta 2026', 'not_time', undefined],
    ['1 jui 2026', 'not_time', undefined],
  ] as const)
    assert.equal(faultOf(readTimeText(text, { dateOrder })), fault, text);
});

test('a time without an offset is read as its day if the caller asks for that', () => {
  for (const text of [
    '31.10.2026 14:05',
    '31.10.2026, 14:05:33',
    '2026-10-31T14:05:33.123',
    '10/31/2026 2:05 PM',
  ])
    assert.equal(readTime(text, undefined, { dropsClock: true }), '2026-10-31', text);
  assert.equal(readTime('2026-10-31T23:30:00Z', undefined, { dropsClock: true }), '2026-10-31T23:30:00.000Z');
});

test('a currency is read as its code, whatever its capitals; a sign of several currencies is a fault', () => {
  for (const [text, read] of [
    ['EUR', 'EUR'],
    ['usd', 'USD'],
    [' \u20ac ', 'EUR'],
    ['Euro', 'EUR'],
    ['z\u0142', 'PLN'],
    ['$', 'not_currency'],
    ['kr', 'not_currency'],
    ['money', 'not_currency'],
  ] as const)
    assert.deepEqual(Object.values(readCurrency(text)), [read], text);
});
