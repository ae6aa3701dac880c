import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AcknowledgedRecordings } from './acknowledged-recordings.ts';

const NOW_MS = 7;

const one = (account: string, sequence: number, nonce = sequence) => ({
  account,
  reference: `r${sequence}`,
  sequence,
  nonce,
  ageMs: 2,
});

function filled(size: number, recordings: readonly ReturnType<typeof one>[]): AcknowledgedRecordings {
  const acknowledged = new AcknowledgedRecordings(size);
  for (const { account, reference, ageMs, ...change } of recordings)
    acknowledged.note(account, reference, change, NOW_MS - ageMs);
  return acknowledged;
}

const shown = (acknowledged: AcknowledgedRecordings) => Object.fromEntries(acknowledged.byAccount(NOW_MS));

test('the last recordings are remembered, the oldest ones are forgotten', () => {
  const recordings = [one('a', 1), one('b', 1), one('a', 2), one('a', 3), one('b', 2)];
  assert.deepEqual(shown(new AcknowledgedRecordings(3)), {});
  assert.deepEqual(shown(filled(3, recordings.slice(0, 2))), { a: [one('a', 1)], b: [one('b', 1)] });
  const { a, b } = shown(filled(3, recordings));
  assert.deepEqual(b, [one('b', 2)]);
  assert.deepEqual(a, [one('a', 2), one('a', 3)]);
});

test('of two recordings with one number, the one that was recorded again is not forgotten with the other', () => {
  const acknowledged = filled(9, [one('a', 1), one('a', 2, 7), one('b', 2, 7), one('a', 2, 8)]);
  acknowledged.forget([one('a', 2, 7), one('a', 5)]);
  assert.deepEqual(shown(acknowledged), { a: [one('a', 1), one('a', 2, 8)], b: [one('b', 2, 7)] });
  acknowledged.note('a', 'r3', { sequence: 3, nonce: 3 }, 5);
  assert.equal(shown(acknowledged)['a']?.length, 3);
});
