import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainMerchantReference, isIdentifier, isMerchantReference } from './transaction.ts';

test('an identifier is 1 to 64 letters, digits, points, underscores and hyphens', () => {
  for (const text of ['a', 'Store-1', 'tx_0.9', '-', '...', '.a', 'a..', 'x'.repeat(64)])
    assert.equal(isIdentifier(text), true, text);
  for (const text of ['', 'x'.repeat(65), 'a b', 'a/b', 'a\n', 'ä', 'a:b', '‐', 'ａ', '.', '..'])
    assert.equal(isIdentifier(text), false, JSON.stringify(text));
});

test('a merchantReference is 1 to 255 characters of any script, counted in code points', () => {
  for (const text of ['order-7', ' ', 'Größe 💳', 'x'.repeat(255), '💳'.repeat(255)])
    assert.equal(isMerchantReference(text), true, text);
  assert.equal(explainMerchantReference(''), 'is empty; write null for a transaction without one');
  for (const text of ['x'.repeat(256), '💳'.repeat(256)])
    assert.equal(explainMerchantReference(text), 'has 256 characters; at most 255 are allowed');
});

test('a merchantReference with a control character or a byte that is not UTF-8 is refused', () => {
  for (const text of [
    'a\u0000',
    'a\nb',
    '\t',
    '\u007f',
    '\u0085',
    '\ufffd',
    '\ud800',
    'a\udc00',
    `${'x'.repeat(254)}\ud800`,
  ]) {
    assert.equal(isMerchantReference(text), false, JSON.stringify(text));
    assert.equal(
      explainMerchantReference(text),
      'contains a control character or a byte that is not UTF-8; remove it',
    );
  }
});
