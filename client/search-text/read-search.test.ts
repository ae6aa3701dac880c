import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMatch, readSearch, searchQuery } from './read-search.ts';

const STATUSES = [
  { status: 'refunded', isPaid: true, written: ['erstattet', 'refunded'] },
  { status: 'charged_back', isPaid: true, written: ['rückgebucht', 'charged back'] },
  { status: 'failed', isPaid: false, written: ['échoué', 'failed'] },
];

const isRefund = (text: string) => /(?<!\d)-\d/.test(text);

const read = (text: string, language = 'en') => {
  const { words, currency, others, ...terms } = readSearch(text, '2026-11-26', language, STATUSES);
  const other = others.find((one) => !isRefund(one));
  return {
    ...terms,
    ...(other !== undefined && { other }),
    ...(words.length > 0 && { words }),
    ...(currency !== undefined && {
      currency: currency.codes.length > 1 ? currency.written : currency.codes[0],
    }),
  };
};

test('amounts are read as people write them, with and without a currency', () => {
  for (const [text, amount, currency] of [
    ['49.90', '49.90'],
    ['1 249,00', '1249.00'],
    ['49', '49.00'],
    ['EUR 49.90', '49.90', 'EUR'],
    ['49,90 eur', '49.90', 'EUR'],
    ['49,90 euros', '49.90', 'EUR'],
    ['3.00 dollars', '3.00', 'dollars'],
    ['EUR49.90', '49.90', 'EUR'],
    ['149,- EUR', '149.00', 'EUR'],
    ['\u20ac50', '50.00', 'EUR'],
    ['50 \u20ac', '50.00', 'EUR'],
    ['1 500 \u20ac', '1500.00', 'EUR'],
    ['1\u202f500\u00a0\u20ac', '1500.00', 'EUR'],
    ['EUR 1 500', '1500.00', 'EUR'],
    ['\u00a31,234.50', '1234.50', '\u00a3'],
    ['\uffe5\uff11\uff0c\uff19\uff18\uff11', '1981.00', '\u00a5'],
    ['1980\u5186', '1980.00', 'JPY'],
    ['$149.00', '149.00', '$'],
    ['-$149.00', '-149.00', '$'],
    ['US$149', '149.00', 'USD'],
    ['149 z\u0142', '149.00', 'PLN'],
  ] as const) {
    const { other, ...terms } = read(text);
    assert.deepEqual(terms, currency === undefined ? { amount } : { amount, currency }, text);
    assert.ok(other === undefined || currency !== undefined, text);
  }
});

test('a text with two meanings is read as the likelier one, and an unambiguous text for the other is offered', () => {
  for (const [text, terms] of [
    ['1.500 EUR', { amount: '1500.00', currency: 'EUR', other: '1.50 EUR' }],
    ['\u00a51,980', { amount: '1980.00', currency: '\u00a5', other: '\u00a5 1.98' }],
    ['EUR 1,500', { amount: '1500.00', currency: 'EUR', other: 'EUR 1.50' }],
    ['149 12 Nov', { amount: '149.00', day: '2026-11-12', other: '#149 12 Nov' }],
    ['12 Nov 149', { amount: '149.00', day: '2026-11-12', other: '12 Nov #149' }],
    ['10482 24 Nov', { words: ['10482'], day: '2026-11-24', other: '10482.00 24 Nov' }],
    ['149', { words: ['149'], other: '149.00' }],
    ['1 500', { words: ['1', '500'], other: '1500.00' }],
    ['EUR50', { amount: '50.00', currency: 'EUR', other: '#EUR50' }],
    ['80 EUR', { amount: '80.00', currency: 'EUR', other: '~ 80 EUR' }],
    ['\u20ac80', { amount: '80.00', currency: 'EUR', other: '~ \u20ac 80' }],
    ['24.11', { amount: '24.11', other: '24.11.' }],
    ['Katherine 80', { words: ['Katherine', '80'], other: 'Katherine ~ 80' }],
    ['Petra Friday', { words: ['Petra'], day: '2026-11-20', other: '#Petra #Friday' }],
    ['Friday', { day: '2026-11-20', other: '#Friday' }],
    ['12 March Street', { words: ['Street'], day: '2026-03-12', other: '#12 #March #Street' }],
    ['12.11.26', { day: '2026-11-12', other: '#12.11.26' }],
    ['5..7 Cafe', { words: ['Cafe'], amountFrom: '5.00', amountTo: '7.00', other: '#5 #7 #Cafe' }],
    ['Failed Dreams', { words: ['Dreams'], status: 'failed', isUnpaid: true, other: '#Failed #Dreams' }],
    ['49.90 05/06/2026', { amount: '49.90', day: '2026-05-06', other: '49.90 2026-06-05' }],
  ] as const) {
    assert.deepEqual(read(text, 'en-US'), terms, text);
    const { other, ...others } = read(terms.other, 'en-US');
    assert.equal(other, undefined, terms.other);
    assert.notDeepEqual(others, { ...terms, other: undefined });
  }
});

test('parts of references are read without the words that people write before a number', () => {
  for (const [text, ...words] of [
    ['#101130', '101130'],
    ['#\uff11\uff10482', '10482'],
    ['order 10482', '10482'],
    ['Order No. 10482,', '10482'],
    ['AMZ-302 4711', 'AMZ-302', '4711'],
    ['order', 'order'],
    ['order-104', 'order-104'],
    ['Katherine 4242', 'Katherine', '4242'],
    ['#', '#'],
  ] as const)
    assert.deepEqual(read(text), { words }, text);
});

test('several terms are read together, each kind once, and a text that is no day is a word', () => {
  for (const text of ['2026-02-30', '30.2.2026']) assert.deepEqual(read(text), { words: [text] });
  for (const text of ['49.90 last Tuesday', 'last Tuesday 49.90', '24 Nov 49.90', '24/11/2026 49,90'])
    assert.deepEqual(read(text), { amount: '49.90', day: '2026-11-24' }, text);
  assert.deepEqual(read('today yesterday'), { day: '2026-11-26', words: ['yesterday'] });
  assert.deepEqual(read('49,90 13.10.2026 #10482'), { amount: '49.90', day: '2026-10-13', words: ['10482'] });
  assert.deepEqual(read('payment 49.90'), { amount: '49.90' });
  assert.deepEqual(read('11.50 2.50'), { amount: '11.50', words: ['2.50'] });
});

test('a currency sign belongs to the number that it touches, or otherwise to the number with decimals', () => {
  const words = ['mary', 'jackson', '9975'];
  for (const text of ['mary jackson 9975 \u20ac79.90', 'mary jackson 9975 \u20ac 79.90'])
    assert.deepEqual(read(text), { amount: '79.90', currency: 'EUR', words }, text);
  for (const text of ['79.90 \u20ac mary jackson 9975', '\u20ac79.90 mary jackson 9975'])
    assert.deepEqual(read(text), { amount: '79.90', currency: 'EUR', words }, text);
  const { other, ...round } = read('9975 \u20ac80');
  assert.deepEqual(
    [round, other],
    [{ amount: '80.00', currency: 'EUR', words: ['9975'] }, '9975 ~ \u20ac 80'],
  );
  assert.deepEqual(read('80\u20ac 9975'), {
    amount: '80.00',
    currency: 'EUR',
    words: ['9975'],
    other: '~ 80 \u20ac 9975',
  });
});

test('the query contains the longest word, and the client compares the others', () => {
  const terms = readSearch('302 amazon EUR 49.90 2026-10-13', '2026-11-26');
  assert.deepEqual(searchQuery(terms, 'Europe/Berlin'), {
    amount: '49.90',
    currency: 'EUR',
    paidFrom: '2026-10-13',
    paidTo: '2026-10-13',
    timeZone: 'Europe/Berlin',
    text: 'amazon',
  });
  const payment = { status: 'completed', amount: '1.00', currencyCode: 'EUR', paidAt: null, createdAt: '' };
  const found = (reference: string, merchantReference: string | null, words = ['AMAZON', 'x3']) =>
    isMatch({ ...payment, reference, merchantReference }, { words });
  assert.deepEqual(
    [found('amazon', 'X302'), found('amaz\u00f3n', '\u1e8a3'), found('amazon', '302')],
    [true, true, false],
  );
  const long = 'y'.repeat(70);
  assert.equal(searchQuery(readSearch(long, '2026-11-26'), 'UTC')?.text, 'y'.repeat(64));
  assert.equal(found('y'.repeat(64), null, [long]), false);
});

test('a text that cannot be searched for has no query', () => {
  for (const text of ['', 'ab', '..', 'x'.repeat(256), `49.90 ${'x'.repeat(256)}`])
    assert.equal(searchQuery(readSearch(text, '2026-11-26'), 'UTC'), undefined, text);
  assert.deepEqual(searchQuery(readSearch('ab 49.90', '2026-11-26'), 'UTC'), { amount: '49.90' });
});

test('an approximate amount is a tenth more or less, and the previous week, month, quarter or year is read as all of its days', () => {
  const read = (text: string, language = 'en') => readSearch(text, '2026-11-26', language);
  const euros = { written: 'EUR', codes: ['EUR'] };
  for (const text of ['about 80 euros', '~80 EUR', 'ca. \u20ac80', 'etwa 80,00 EUR', 'around EUR 80'])
    assert.deepEqual(
      read(text),
      { amount: '80.00', isAbout: true, currency: euros, words: [], others: [] },
      text,
    );
  assert.deepEqual(read('about 80 order 7'), { amount: '80.00', isAbout: true, words: ['7'], others: [] });
  assert.deepEqual(read('about lovelace'), { words: ['about', 'lovelace'], others: [] });
  const asked = read('jackson 9975 about 80 euros last week');
  assert.deepEqual(searchQuery(asked, 'UTC'), {
    amountFrom: '72.00',
    amountTo: '88.00',
    currency: 'EUR',
    paidFrom: '2026-11-16',
    paidTo: '2026-11-22',
    timeZone: 'UTC',
    text: 'jackson',
  });
  assert.partialDeepStrictEqual(searchQuery(read('about -80.05'), 'UTC'), {
    amountFrom: '-88.05',
    amountTo: '-72.05',
  });
  for (const [text, from, day, language] of [
    ['this week', '2026-11-23', '2026-11-26'],
    ['Letzte Woche', '2026-11-16', '2026-11-22'],
    ['last month', '2026-10-01', '2026-10-31'],
    ['Letzter Monat', '2026-10-01', '2026-10-31'],
    ['mois dernier', '2026-10-01', '2026-10-31', 'fr'],
    ['la semaine derniere', '2026-11-16', '2026-11-22', 'fr'],
    ['diesen Monat', '2026-11-01', '2026-11-26'],
    ['last quarter', '2026-07-01', '2026-09-30'],
    ['this year', '2026-01-01', '2026-11-26'],
    ['since last week', '2026-11-16', '2026-11-26'],
    ['seit dem 1. Oktober', '2026-10-01', '2026-11-26'],
    ['depuis le 1er octobre', '2026-10-01', '2026-11-26', 'fr'],
  ] as const)
    assert.deepEqual(read(text, language ?? 'de'), { day, from, words: [], others: [] }, text);
});

test('a range of amounts or days is read with both ends, and a hyphen makes a range only next to a currency', () => {
  const queryOf = (text: string) => searchQuery(readSearch(text, '2026-11-26', 'en'), 'UTC');
  const euros = { currency: 'EUR' };
  const amounts = { amountFrom: '100.00', amountTo: '250.50' };
  for (const [text, query] of [
    ['100 to 250.50', amounts],
    ['100..250,50 EUR', { ...amounts, ...euros }],
    ['between 250.50 and 100 euros', { ...amounts, ...euros }],
    ['von 100 bis 250,50 \u20ac', { ...amounts, ...euros }],
    ['\u20ac100 \u2013 \u20ac250.50', { ...amounts, ...euros }],
    ['EUR 100 to EUR 250.50', { ...amounts, ...euros }],
    ['100-250.50 EUR', { ...amounts, ...euros }],
    ['100 - 250.50 EUR', { ...amounts, ...euros }],
    ['1 Oct - 7 Oct', { paidFrom: '2026-10-01', paidTo: '2026-10-07', timeZone: 'UTC' }],
    ['-20..-10 EUR', { amountFrom: '-20.00', amountTo: '-10.00', ...euros }],
    ['-$10 to -$20', { amountFrom: '-20.00', amountTo: '-10.00' }],
    ['\u221220 \u2013 \u221210 EUR', { amountFrom: '-20.00', amountTo: '-10.00', ...euros }],
    ['over 500 EUR', { amountFrom: '500.00', ...euros }],
    ['>=1.500,00', { amountFrom: '1500.00' }],
    ['moins de 50', { amountTo: '50.00' }],
    ['1 Oct to 7 Oct', { paidFrom: '2026-10-01', paidTo: '2026-10-07', timeZone: 'UTC' }],
    ['between 2026-10-01 and 2026-10-07', { paidFrom: '2026-10-01', paidTo: '2026-10-07', timeZone: 'UTC' }],
    [
      'jackson 1.10.2026 bis 7.10.2026 100 to 250.50',
      { ...amounts, paidFrom: '2026-10-01', paidTo: '2026-10-07', timeZone: 'UTC', text: 'jackson' },
    ],
    ['100-250', { text: '100-250' }],
    ['order 100 and 250', { text: '100' }],
    ['over lovelace', { text: 'lovelace' }],
  ] as const)
    assert.deepEqual(queryOf(text), query, text);
});

test('the other meaning is also found in another language, and a telephone number is not an amount', () => {
  assert.deepEqual(read('Petra Sonntag', 'de'), {
    words: ['Petra'],
    day: '2026-11-22',
    other: '#Petra #Sonntag',
  });
  assert.deepEqual(read('Jean Mardi', 'fr'), { words: ['Jean'], day: '2026-11-24', other: '#Jean #Mardi' });
  assert.deepEqual(read('Anna le 1er octobre', 'fr'), {
    words: ['Anna'],
    day: '2026-10-01',
    other: '#Anna #le #1er #octobre',
  });
  assert.deepEqual(read('am 24.11.2026', 'de'), { day: '2026-11-24' });
  assert.deepEqual(read('order on yesterday'), { words: ['order'], day: '2026-11-25' });
  assert.deepEqual(read('+49 170 1234567'), { words: ['+49', '170', '1234567'] });
  assert.deepEqual(read('+49.90'), { amount: '49.90' });
});

test('a status is read from words, and its days are days of creation if the status is unpaid', () => {
  const queryOf = (text: string, language = 'en') =>
    searchQuery(readSearch(text, '2026-11-26', language, STATUSES), 'UTC');
  const days = { timeZone: 'UTC' };
  const lastWeek = { paidFrom: '2026-11-16', paidTo: '2026-11-22', ...days };
  const yesterday = { from: '2026-11-25', to: '2026-11-25', ...days };
  for (const [text, query] of [
    ['refunded last week', { status: 'refunded', ...lastWeek }],
    ['refunds last week', { status: 'refunded', ...lastWeek }],
    ['Erstattete letzte Woche', { status: 'refunded', ...lastWeek }],
    ['charged back last week', { status: 'charged_back', ...lastWeek }],
    ['Ruckgebucht letzte Woche', { status: 'charged_back', ...lastWeek }],
    ['failed yesterday 49.90', { status: 'failed', amount: '49.90', ...yesterday }],
    ['échouées hier lovelace', { status: 'failed', text: 'lovelace', ...yesterday }],
    ['failed yesterday', undefined],
    ['failed yesterday ab', undefined],
    ['refunded -49.90', { status: 'refunded', amount: '-49.90' }],
    ['refunded', undefined],
  ] as const)
    assert.deepEqual(queryOf(text, text.includes('hier') ? 'fr' : 'de'), query, text);
});

test('a word for refunds means amounts below 0, if no status has this name', () => {
  const queryOf = (text: string, language = 'en', statuses: Parameters<typeof readSearch>[3] = []) =>
    searchQuery(readSearch(text, '2026-11-26', language, statuses), 'UTC');
  const lastMonth = { paidFrom: '2026-10-01', paidTo: '2026-10-31', timeZone: 'UTC' };
  for (const [text, language, query] of [
    ['refunds last month', 'en', { amountTo: '-0.01', ...lastMonth }],
    ['Erstattungen letzter Monat', 'de', { amountTo: '-0.01', ...lastMonth }],
    ['R\u00fcckerstattungen im letzten Monat', 'de', { amountTo: '-0.01', ...lastMonth }],
    ['remboursements le mois dernier', 'fr', { amountTo: '-0.01', ...lastMonth }],
    ['rembours\u00e9es lovelace', 'fr', { amountTo: '-0.01', text: 'lovelace' }],
    ['refunded', 'en', { amountTo: '-0.01' }],
    ['refund 49.90', 'en', { amount: '-49.90' }],
    ['refund -49.90', 'en', { amount: '-49.90' }],
    ['refund about 80', 'en', { amountFrom: '-88.00', amountTo: '-72.00' }],
    ['refunds 10 to 20', 'en', { amountFrom: '-20.00', amountTo: '-10.00' }],
    ['refunds over 50', 'en', { amountTo: '-50.00' }],
    ['refunds under 50', 'en', { amountFrom: '-50.00', amountTo: '-0.01' }],
    ['refunds -20..-10', 'en', { amountFrom: '-20.00', amountTo: '-10.00' }],
    ['#refunds', 'en', { text: 'refunds' }],
    ['refund-7', 'en', { text: 'refund-7' }],
  ] as const)
    assert.deepEqual(queryOf(text, language), query, text);
  for (const text of ['refunds last month', 'Erstattungen letzter Monat', 'Remboursement last month'])
    assert.deepEqual(queryOf(text, 'de', STATUSES), { status: 'refunded', ...lastMonth }, text);
  assert.deepEqual(readSearch('refunds lovelace', '2026-11-26', 'en', []).others, ['#refunds #lovelace']);
  assert.deepEqual(searchQuery(readSearch('refunded', '2026-11-26'), 'UTC'), { text: 'refunded' });
});

test('a pasted text of hundreds of words, or of one very long word, is read quickly', () => {
  const text = 'Guten Tag, die Zahlung vom 3. Oktober, 49,90 EUR zur Rechnung 10482, fehlt noch. ';
  const startedAtMs = performance.now();
  assert.equal(read(text.repeat(25), 'de').amount, '49.90');
  assert.deepEqual(read('a'.repeat(4000)).words, ['a'.repeat(4000)]);
  assert.ok(performance.now() - startedAtMs < 2000);
});

test('an amount without a sign can mean a refund', () => {
  for (const [text, refund] of [
    ['49.90', '-49.90'],
    ['EUR49.90', 'EUR-49.90'],
    ['mary \u20ac80', 'mary \u20ac -80'],
    ['refunded 1.234,50 EUR', 'refunded -1.234,50 EUR'],
    ['-49.90', undefined],
    ['+49.90', undefined],
    ['about 80 EUR', undefined],
  ] as const)
    assert.deepEqual(readSearch(text, '2026-11-26', 'en', STATUSES).others.find(isRefund), refund, text);
});
