import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quote } from './quote.ts';

test('a value is quoted, and characters that could break a line or a terminal are escaped', () => {
  assert.equal(quote('a b'), '"a b"');
  assert.equal(quote('a"b\\'), '"a\\"b\\\\"');
  assert.equal(quote('a\r\n\u001b[31m'), '"a\\r\\n\\u001b[31m"');
});

test('a value of more than 60 characters is shortened', () => {
  assert.equal(quote('x'.repeat(60)), `"${'x'.repeat(60)}"`);
  assert.equal(quote('x'.repeat(61)), `"${'x'.repeat(60)}..."`);
});
