import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isIdentifier } from '../src/ledger/transaction.ts';
import { fc } from '../test/rig/run/properties.ts';
import { LAST_TIMESTAMP_MS } from './calendar.ts';
import { assignReference } from './reference.ts';

const FORM = /^tx_([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('an assigned reference is tx_ and a UUIDv7 of RFC 9562, with the given time and random bits', () => {
  const random = Uint8Array.from([0xfc, 0xc3, 0xd8, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
  for (const _ of [1, 2])
    assert.equal(
      assignReference(0x017f22e279b0, () => random),
      'tx_017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    );
});

test('every assigned reference is an identifier, and begins with its millisecond, by which references sort', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST_TIMESTAMP_MS }), fc.nat(255), (timeMs, byte) => {
      const reference = assignReference(timeMs, (length) => new Uint8Array(length).fill(byte));
      const [, high = '', low = ''] = FORM.exec(reference) ?? [];
      assert.equal(Number.parseInt(high + low, 16), timeMs);
      assert.ok(isIdentifier(reference));
    }),
  );
  assert.match(assignReference(-1, randomBytes), /^tx_00000000-0000-7/);
});
