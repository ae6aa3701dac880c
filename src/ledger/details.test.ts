import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDetailsText } from './details.ts';

test('a text is not a details text if its order or its spaces differ, or if it has too many or no details', () => {
  for (const text of [
    '{"b":"1","a":"2"}',
    '{"a": "1"}',
    '{}',
    '[]',
    'null',
    '"a"',
    '{',
    '{"a":1}',
    '{"A":"1"}',
  ])
    assert.equal(isDetailsText(text), false, text);
});
