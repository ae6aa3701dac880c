import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import { hasCardNumber } from '../../values/card-number.ts';
import { FaultList } from '../../values/fault-list.ts';
import type { FieldFault } from '../../values/field-fault.ts';
import { isDetailsText, readDetails } from './details.ts';

function read(value: unknown): { text: string | null | undefined; faults: FieldFault[] } {
  const faults = new FaultList<FieldFault>();
  return { text: readDetails(value, faults), faults: faults.listed };
}

const codesOf = (value: unknown) =>
  read(value).faults.map(({ field, name, code }) => [field, name, code].join(' '));

test('every object of some texts is read as one text, and equal ones as the same', () => {
  const names = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,31}$/);
  const texts = fc.stringMatching(/^[ -~äß💳]{1,40}$/u).filter((text) => !hasCardNumber(text));
  fc.assert(
    fc.property(fc.dictionary(names, texts, { minKeys: 1, maxKeys: 16 }), (details) => {
      const { text } = read(details);
      assert.deepEqual(JSON.parse(text as string), { ...details });
      assert.ok(isDetailsText(text as string));
      assert.equal(read(Object.fromEntries(Object.entries(details).reverse())).text, text);
    }),
  );
});

test('what is no object of texts is refused, with the name of the faulty text', () => {
  for (const value of ['text', 5, ['a']]) assert.deepEqual(codesOf(value), ['details  invalid_type']);
  assert.deepEqual(codesOf({ customer: 5, last4: ['4242'] }), [
    'details customer invalid_type',
    'details last4 invalid_type',
  ]);
  for (const text of ['', 'a\nb', '\u0000', '\ud800', 'a'.repeat(256)])
    assert.deepEqual(codesOf({ customer: text }), ['details customer invalid_value'], JSON.stringify(text));
  assert.deepEqual(codesOf({ customer: '💳'.repeat(255) }), []);
  for (const name of ['Customer', '4last', 'last_4', '', 'a'.repeat(33), '__proto__'])
    assert.deepEqual(codesOf(JSON.parse(`{${JSON.stringify(name)}:"a"}`)), ['details  invalid_value'], name);
});

test('at most 16 names and 2,048 bytes as JSON are accepted', () => {
  const named = (count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, text]));
  assert.deepEqual(codesOf(named(16, 'x')), []);
  assert.deepEqual(codesOf(named(17, 'x')), ['details  invalid_value']);
  // {"a0":"...", is 8 bytes and the text for each of 8 names, and one more brace than commas.
  const texts = { ...named(8, 'x'.repeat(247)) };
  assert.equal(Buffer.byteLength(read(texts).text as string), 2041);
  assert.deepEqual(codesOf({ ...texts, a0: 'x'.repeat(254) }), []);
  assert.deepEqual(codesOf({ ...texts, a0: 'x'.repeat(255) }), ['details  invalid_value']);
});

test('a card number is refused, and shown nowhere', () => {
  const { text, faults } = read({ note: 'card 4111 1111 1111 1111' });
  assert.equal(text, undefined);
  assert.deepEqual(
    faults.map(({ field, name, code }) => [field, name, code]),
    [['details', 'note', 'card_number']],
  );
  assert.doesNotMatch(JSON.stringify(faults), /1111/);
});

test('a stored text with another order, another space, too much or no details is not one', () => {
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
