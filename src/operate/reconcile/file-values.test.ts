import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainReadAmount, explainReadTime, readAmount, readTime } from './file-values.ts';

test('an amount is an exact decimal number, however it is written', () => {
  for (const [text, amount] of [
    ['12', '12.00'],
    ['12.0', '12.00'],
    ['12.00', '12.00'],
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
  ] as const)
    assert.equal(readAmount(text, true), amount, text);
});

test('an amount that could mean two numbers is refused, with the cause', () => {
  for (const [text, decimalComma, cause] of [
    ['12,50', false, /has a decimal comma; add --decimal-comma, or write a decimal number such as 1234\.50$/],
    ['12.000', false, /three digits after its point, which can be decimals or thousands/],
    ['12,000', true, /three digits after its comma, which can be decimals or thousands/],
    ['1,234.50', false, /has separators between thousands/],
    ['1.234,50', false, /has a decimal comma; add --decimal-comma/],
    ["1'234.50", false, /has separators between thousands/],
    ['1 234,50', true, /has separators between thousands/],
    ['12.50', true, /has a decimal point; leave out --decimal-comma/],
    ['1.23.456', true, /is not an amount/],
    ['12.0001', false, /is finer than hundredths/],
    ['12.0010', false, /is finer than hundredths/],
    ['10000000000000', false, /is larger than any amount/],
    ['12.50 EUR', false, /is not an amount/],
    ['12.50-', false, /is not an amount/],
    [' 12.50', false, /is not an amount/],
    ['.5', false, /is not an amount/],
    ['5.', false, /is not an amount/],
    ['1e3', false, /is not an amount/],
  ] as const) {
    assert.equal(readAmount(text, decimalComma), undefined, text);
    assert.match(explainReadAmount(text, decimalComma), cause);
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
    '2026-02-28T23:30:00.5-10:00',
  ])
    assert.equal(readTime(text), '2026-03-01T09:30:00.500Z', text);
  assert.equal(readTime('2026-03-01T09:30:00Z'), '2026-03-01T09:30:00.000Z');
  assert.equal(readTime('2026-03-01'), '2026-03-01');
});

test('a text that is not exactly one instant is refused, with the cause', () => {
  for (const [text, cause] of [
    ['2026-03-01T09:30:00', /has no offset from UTC/],
    ['2026-03-01 09:30', /has no offset from UTC/],
    ['2026-03-01T09:30:00.0001Z', /is finer than milliseconds/],
    ['2026-03-01T09:30Z', /is not a time/],
    ['2026-02-29', /is not a time/],
    ['2026-02-29T09:30:00Z', /is not a time/],
    ['2026-03-01T24:00:00Z', /is not a time/],
    ['2026-03-01T09:30:00+24:00', /is not a time/],
    ['0001-01-01T00:00:00+01:00', /is not a time/],
    ['32.03.2026', /is not a time; write a time such as 2026-03-31T09:30:00\.000Z/],
  ] as const) {
    assert.equal(readTime(text), undefined, text);
    assert.match(explainReadTime(text), cause);
  }
});

test('a date is a day in each form that has one meaning, and in the order that is given', () => {
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
  ] as const)
    assert.equal(readTime(text, order), day, `${text} ${order}`);
  for (const [text, cause, order] of [
    ['05/06/2026', /"05\/06\/2026" can be 2026-06-05 or 2026-05-06; add --date-order dmy if/],
    ['31/10/2026', /is not a date in the order of --date-order mdy/, 'mdy'],
    ['31.02.2026', /is not a time/],
    ['31/10-2026', /is not a time/],
    ['1/2/3', /is not a time/],
  ] as const) {
    assert.equal(readTime(text, order), undefined, text);
    assert.match(explainReadTime(text, order), cause);
  }
});
