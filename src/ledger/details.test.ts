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

test('an object of texts is stored as one text, and equal objects have the same text', () => {
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
