import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailName } from './detail-name.ts';
import { piecesOf, searchedTexts } from './searched.ts';

test('a search compares both references and each detail, under the name that people read', () => {
  const transaction = {
    reference: 'tx_1',
    merchantReference: 'order-7',
    status: 'completed',
    amount: '1.00',
    currencyCode: 'EUR',
    paidAt: null,
    createdAt: '',
  };
  assert.deepEqual(
    searchedTexts({ ...transaction, details: { customer: 'Ada', cardLast4: '4242' } }).map(
      ({ column, name, text }) => [column, name, text],
    ),
    [
      ['reference', 'Payment ID', 'tx_1'],
      ['merchantReference', 'Your reference', 'order-7'],
      ['details.customer', 'Customer', 'Ada'],
      ['details.cardLast4', 'Card last 4', '4242'],
    ],
  );
  assert.deepEqual(
    searchedTexts({ ...transaction, merchantReference: null }).map(({ column }) => column),
    ['reference'],
  );
  assert.equal(detailName('last4'), 'Last 4');
});

test('the words of a search are marked in a text, whatever their capitals, the longest of those at one place', () => {
  assert.deepEqual(piecesOf('Grace Hopper', ['hopper']), ['Grace ', 'Hopper', '']);
  assert.deepEqual(piecesOf('4242 4242', ['4242', '42']), ['', '4242', ' ', '4242', '']);
  assert.deepEqual(piecesOf('order-10482', ['104', 'ORDER']), ['', 'order', '-', '104', '82']);
  assert.deepEqual(piecesOf('order', ['x', '']), ['order']);
  assert.deepEqual(piecesOf('Frau Mu\u0308ller', ['MULL']), ['Frau ', 'M\u00fcll', 'er']);
  assert.deepEqual(piecesOf('Frau Müller', ['mueller']), ['Frau ', 'Müller', '']);
  assert.deepEqual(piecesOf('\u0130stanbul', ['ist']), ['', '\u0130st', 'anbul']);
});
