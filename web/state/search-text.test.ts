import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKey, linkOf, pasted } from './search-text.ts';

const ORIGIN = 'https://pay.example';

test('links to this page and to its API lead to their fragment; other texts are no links', () => {
  const cases: [text: string, expected: string | undefined][] = [
    [`${ORIGIN}/#/transactions/tx_1`, '#/transactions/tx_1'],
    [`${ORIGIN}/#/transactions?currency=EUR&account=store-1`, '#/transactions?currency=EUR&account=store-1'],
    ['HTTPS://pay.example/#/webhooks', '#/webhooks'],
    [`${ORIGIN}/v1/transactions/a%20b?x=1`, '#/transactions/a%20b'],
    [`${ORIGIN}/v1/transactions/tx_1/changes`, '#/transactions/tx_1'],
    [`${ORIGIN}/v1/transactions`, undefined],
    [`${ORIGIN}/`, undefined],
    [`${ORIGIN}/docs#/transactions`, undefined],
    ['https://elsewhere.example/#/transactions/tx_1', undefined],
    ['http://pay.example/#/transactions/tx_1', undefined],
    ['https://', undefined],
    ['tx_1', undefined],
    ['order 7', undefined],
  ];
  for (const [text, expected] of cases) assert.equal(linkOf(text, ORIGIN), expected, text);
});

test('an API key is recognised, also inside another text', () => {
  for (const text of [
    'tk_live_0123',
    ' tk_operator_a',
    'Bearer tk_live_x',
    'ts_live_0',
    'http://h/#session=c',
  ])
    assert.ok(isKey(text), text);
  for (const text of ['tk_000012', 'order-1', 'live_1']) assert.ok(!isKey(text), text);
});

test('a pasted text has no invisible characters', () => {
  assert.equal(pasted(' \u200btk_live_\u2060x\ufeff '), 'tk_live_x');
});
