import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTerms, hasWords, readSearch, searchQuery } from './read-search.ts';

const read = (text: string) => {
  const { words, ...others } = readSearch(text, '2026-11-26', 'en');
  return words.length > 0 ? { ...others, words } : others;
};

test('amounts, with the point or the comma of either language, with and without a currency', () => {
  for (const [text, amount, currency] of [
    ['49.90', '49.90'],
    ['49,90', '49.90'],
    ['49,9', '49.9'],
    ['049.90', '49.90'],
    ['1.234,50', '1234.50'],
    ['1 249,00', '1249.00'],
    ['1\u202f234\u202f567,50', '1234567.50'],
    ["1'234'567.50", '1234567.50'],
    ['1,234.50', '1234.50'],
    ['-5.00', '-5.00'],
    ['\u22125.00', '-5.00'],
    ['EUR 49.90', '49.90', 'EUR'],
    ['49,90 eur', '49.90', 'EUR'],
    ['\u20ac50', '50', 'EUR'],
    ['50 \u20ac', '50', 'EUR'],
    ['\u00a31,234.50', '1234.50', 'GBP'],
    ['\u00a51980', '1980', 'JPY'],
  ] as const)
    assert.deepEqual(read(text), currency === undefined ? { amount } : { amount, currency }, text);
});

test('days, also together with other terms and of several words', () => {
  for (const text of ['2026-10-03', '03.10.2026', '3.10.', '3 Oct'])
    assert.deepEqual(read(text), { day: '2026-10-03' });
  for (const text of ['2026-02-30', '30.2.2026']) assert.deepEqual(read(text), { words: [text] });
  for (const text of ['49.90 last Tuesday', 'last Tuesday 49.90', '24 Nov 49.90', '24/11/2026 49,90'])
    assert.deepEqual(read(text), { amount: '49.90', day: '2026-11-24' }, text);
  assert.deepEqual(read('49.90 EUR 24 Nov 2026 10482'), {
    amount: '49.90',
    currency: 'EUR',
    day: '2026-11-24',
    words: ['10482'],
  });
  assert.deepEqual(read('today yesterday'), { day: '2026-11-26', words: ['yesterday'] });
  assert.deepEqual(read('49.90 05/06/2026'), {
    amount: '49.90',
    unclear: { word: '05/06/2026', days: ['2026-06-05', '2026-05-06'] },
  });
});

test('parts of references, without what people write before a number', () => {
  for (const [text, ...words] of [
    ['101130', '101130'],
    ['#10482', '10482'],
    ['order 10482', '10482'],
    ['Order No. 10482,', '10482'],
    ['AMZ 302', 'AMZ', '302'],
    ['order', 'order'],
    ['order-104', 'order-104'],
    ['#', '#'],
  ] as const)
    assert.deepEqual(read(text), { words }, text);
});

test('several terms together, each kind once', () => {
  assert.deepEqual(read('49,90 13.10.2026 #10482'), { amount: '49.90', day: '2026-10-13', words: ['10482'] });
  assert.deepEqual(read('payment 49.90'), { amount: '49.90' });
  assert.deepEqual(read('1.50 2.50'), { amount: '1.50', words: ['2.50'] });
});

test('the query has the longest word, and the others are compared here', () => {
  const terms = readSearch('302 amazon EUR 49.90 2026-10-13', '2026-11-26');
  assert.deepEqual(searchQuery(terms, 'Europe/Berlin'), {
    amount: '49.90',
    currency: 'EUR',
    paidFrom: '2026-10-13',
    paidTo: '2026-10-13',
    timeZone: 'Europe/Berlin',
    text: 'amazon',
  });
  const found = (reference: string, merchantReference: string | null) =>
    hasWords(
      {
        reference,
        merchantReference,
        status: 'completed',
        amount: '1.00',
        currencyCode: 'EUR',
        paidAt: null,
        createdAt: '',
      },
      ['AMAZON', 'x3'],
    );
  assert.deepEqual(
    [found('amazon', 'X302'), found('amazon-X3', null), found('amazon', '302')],
    [true, true, false],
  );
  const long = 'y'.repeat(70);
  assert.equal(searchQuery(readSearch(long, '2026-11-26'), 'UTC')?.text, 'y'.repeat(64));
  assert.equal(
    hasWords(
      {
        reference: 'y'.repeat(64),
        merchantReference: null,
        status: 'completed',
        amount: '1.00',
        currencyCode: 'EUR',
        paidAt: null,
        createdAt: '',
      },
      [long],
    ),
    false,
  );
});

test('there is no query for what cannot be found', () => {
  for (const text of ['', 'ab', '..', 'x'.repeat(256), `49.90 ${'x'.repeat(256)}`])
    assert.equal(searchQuery(readSearch(text, '2026-11-26'), 'UTC'), undefined, text);
  assert.deepEqual(searchQuery(readSearch('ab 49.90', '2026-11-26'), 'UTC'), { amount: '49.90' });
});

test('the terms in words', () => {
  assert.equal(
    describeTerms(readSearch('AMZ 302 49,90 EUR 2026-10-13', '2026-11-26'), 'UTC'),
    'of 49.90 EUR, paid on 2026-10-13 (UTC), with AMZ and 302 in a reference',
  );
});
