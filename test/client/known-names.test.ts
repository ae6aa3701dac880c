import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../client/src/known-names.ts';
import { nearest as nearestOfService } from '../../values/nearest.ts';
import { fc } from '../rig/run/properties.ts';

test('two letters in the wrong order are one mistake', () => {
  assert.equal(nearest('form', ['from', 'to']), 'from');
  assert.equal(nearest('fmro', ['from', 'to']), undefined);
});

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'd'), maxLength: 12 });

test('the client finds the same nearest name as the service', () => {
  fc.assert(
    fc.property(name, fc.array(name), (misspelt, known) => {
      assert.equal(nearest(misspelt, known), nearestOfService(misspelt, known));
    }),
  );
});
