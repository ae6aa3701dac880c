import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import { FaultList } from '../values/fault-list.ts';
import type { FieldFault } from '../values/field-fault.ts';
import { hasCardNumber, isDetailsText, readDetails } from './details.ts';

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

test('a text with 13 to 19 digits that pass the check of card numbers is refused, and shown nowhere', () => {
  for (const text of [
    '4111111111111111',
    '4111 1111 1111 1111',
    '3782-822463-10005',
    'card 5555 5555-5555 4444, exp 12/27',
    '4222222222222',
    '6304000000000000000',
  ]) {
    const { text: stored, faults } = read({ note: text });
    assert.equal(stored, undefined, text);
    assert.deepEqual(
      faults.map(({ field, name, code }) => [field, name, code]),
      [['details', 'note', 'card_number']],
    );
    assert.ok(!JSON.stringify(faults).includes(text.slice(-4)));
  }
  for (const text of [
    '4111111111111112',
    '411111111111',
    '79927398713',
    '4242',
    '41111111111111111111',
    'DE89370400440532013000',
    '4111.1111.1111.1111',
    '411111111111 x 1111',
  ])
    assert.deepEqual(read({ note: text }).faults, [], text);
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
