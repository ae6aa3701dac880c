import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { anyContent, CARRIED, identifier } from '../../../test/rig/data/list-query.ts';
import { fc } from '../../../test/rig/run/properties.ts';
import { FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS } from '../../../values/calendar.ts';
import { CURSOR_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { type CursorContent, carriedFilter, createCursorSealer, uncarriedReference } from './cursor.ts';
import { NO_FILTER } from './list.ts';

const SECRET = 'the secret of the tests, long enough to be one';
const OTHER_SECRET = 'another secret of the tests, which is as long';
const ACCOUNT = 'store-1';
const NOW_MS = Date.UTC(2026, 5, 15, 12);
const MALFORMED = { outcome: 'malformed' } as const;
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const sealer = createCursorSealer([SECRET], randomBytes);

const CONTENT: CursorContent = {
  filter: { ...CARRIED, merchantReference: 'order "1"' },
  after: { createdAtMs: Date.UTC(2026, 2, 1), reference: 'tx-1' },
  expiresAtMs: NOW_MS + 1000,
};
const BARE: CursorContent = { ...CONTENT, filter: NO_FILTER };
const CURSOR = sealer.seal(ACCOUNT, CONTENT);

function assertMalformed(cursor: string, by = sealer, account = ACCOUNT): void {
  assert.deepEqual(by.open(account, cursor, NOW_MS), MALFORMED, cursor);
}

test('a cursor opens to exactly what was sealed', () => {
  fc.assert(
    fc.property(identifier, anyContent, (account, content) => {
      const cursor = sealer.seal(account, content);
      const carried = { ...content, filter: carriedFilter(content.filter) };
      const opened = sealer.open(account, cursor, content.expiresAtMs - 1);
      assert.deepEqual(opened, { outcome: 'opened', content: carried });
    }),
  );
});

test('an issued cursor opens with every later version of the program', () => {
  const written =
    'AZViAPbmWN0aVdI7BoJvE4_rtNnFcue9KpgWEv4NY7W2Qzyv-JU3SSBWzMQBLTkvDHgYBEP4MSiCRRlIx9gkmmLxQivY49FwtQJ3kAD6pxLz0M1WXZHqyT_4s8zh4fkgJLaYOH_4FZtkuDm4no555hcC1mkl55ktX9QXRQk';
  const { status, currency, from, to } = CARRIED;
  const content = { ...CONTENT, filter: { ...NO_FILTER, status, currency, from, to } };
  assert.deepEqual(sealer.open(ACCOUNT, written, NOW_MS), { outcome: 'opened', content });
});

test('a cursor is expired from the millisecond of its expiry, and its content can still be read', () => {
  const { expiresAtMs } = CONTENT;
  assert.equal(sealer.open(ACCOUNT, CURSOR, expiresAtMs - 1).outcome, 'opened');
  for (const nowMs of [expiresAtMs, expiresAtMs + 1, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(sealer.open(ACCOUNT, CURSOR, nowMs), { outcome: 'expired', content: CONTENT });
});

test('only the one canonical spelling of a cursor opens', () => {
  let respelt = 0;
  for (const reference of ['a', 'ab', 'abc']) {
    const cursor = sealer.seal(ACCOUNT, { ...BARE, after: { createdAtMs: 0, reference } });
    const bytes = Buffer.from(cursor, 'base64url');
    const spellings = [...BASE64URL].map((character) => cursor.slice(0, -1) + character);
    spellings.push(bytes.toString('base64'), cursor.replaceAll('-', '+').replaceAll('_', '/'));
    spellings.push(`${cursor}=`, `${cursor}==`, `${cursor.slice(0, 9)}\n${cursor.slice(9)}`, `${cursor}!`);
    for (const spelling of spellings) {
      if (spelling === cursor) continue;
      if (Buffer.from(spelling, 'base64url').equals(bytes)) respelt++;
      assertMalformed(spelling);
    }
  }
  assert.ok(respelt > 10, `only ${respelt} of the spellings decode to the same bytes`);
});

test('a cursor of another secret is refused', () => {
  const other = createCursorSealer([OTHER_SECRET], randomBytes);
  assertMalformed(CURSOR, other);
  assertMalformed(other.seal(ACCOUNT, CONTENT));
  const ciphertext = Buffer.from(other.seal(ACCOUNT, CONTENT), 'base64url');
  Buffer.from(CURSOR, 'base64url').copy(ciphertext, 0, 0, 5);
  for (const by of [sealer, other, createCursorSealer([SECRET, OTHER_SECRET], randomBytes)])
    assertMalformed(ciphertext.toString('base64url'), by);
});

test('the first secret seals, and every secret opens', () => {
  const rotated = createCursorSealer([OTHER_SECRET, SECRET], randomBytes);
  const newSecretAlone = createCursorSealer([OTHER_SECRET], randomBytes);
  const opened = { outcome: 'opened', content: CONTENT } as const;
  assert.deepEqual(rotated.open(ACCOUNT, CURSOR, NOW_MS), opened);
  const fresh = rotated.seal(ACCOUNT, CONTENT);
  assert.deepEqual(rotated.open(ACCOUNT, fresh, NOW_MS), opened);
  assert.deepEqual(newSecretAlone.open(ACCOUNT, fresh, NOW_MS), opened);
  assertMalformed(fresh, sealer);
});

test('a sealer requires at least one secret, and no secret may occur twice', () => {
  assert.throws(() => createCursorSealer([], randomBytes), /there is no cursor secret/);
  assert.throws(() => createCursorSealer([SECRET, OTHER_SECRET, SECRET], randomBytes), /given twice/);
});

test('the largest content has at most 512 characters, all of the URL-safe alphabet', () => {
  const account = 'x'.repeat(64);
  for (const createdAtMs of [FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS]) {
    for (const merchantReference of ['x'.repeat(90), 'ü'.repeat(45), '"'.repeat(45)]) {
      const content: CursorContent = {
        filter: {
          ...CARRIED,
          status: 's'.repeat(32),
          timeZone: 'America/Argentina/ComodRivadavia',
          merchantReference,
        },
        after: { createdAtMs, reference: 'x'.repeat(64), logPosition: 'FFFFFFFF/FFFFFFFF' },
        expiresAtMs: LAST_TIMESTAMP_MS,
      };
      const cursor = sealer.seal(account, content);
      assert.match(cursor, /^[A-Za-z0-9_-]+$/);
      assert.ok(cursor.length <= CURSOR_MAX_CHARACTERS && CURSOR_MAX_CHARACTERS === 512, `${cursor.length}`);
      assert.deepEqual(sealer.open(account, cursor, NOW_MS), { outcome: 'opened', content });
    }
  }
});

test('the same content sealed again is a different cursor, because each nonce has 24 new random bytes', () => {
  const drawn: number[] = [];
  const counted = createCursorSealer([SECRET], (length) => {
    drawn.push(length);
    return randomBytes(length);
  });
  const nonces = new Set<string>();
  for (let count = 0; count < 2000; count++) {
    const bytes = Buffer.from(counted.seal(ACCOUNT, CONTENT), 'base64url');
    nonces.add(bytes.subarray(5, 29).toString('hex'));
  }
  assert.equal(nonces.size, 2000);
  assert.deepEqual(new Set(drawn), new Set([24]));
  assert.equal(drawn.length, 2000);
});

test('the cursor of a collection opens to its position, for this collection alone', () => {
  const position = [1000, 'key_0000000000000001'];
  const cursor = sealer.sealPosition('keys of store-1', position, NOW_MS);
  assert.deepEqual(sealer.openPosition('keys of store-1', cursor), { position, expiresAtMs: NOW_MS });
  assert.equal(sealer.openPosition('keys of store-2', cursor), undefined);
});

test('a cursor carries a whole filter, except a merchantReference of more than 92 bytes as JSON', () => {
  for (const carried of [NO_FILTER, CARRIED, { ...CARRIED, merchantReference: 'x'.repeat(90) }])
    assert.equal(carriedFilter(carried), carried);
  for (const long of ['x'.repeat(91), 'ü'.repeat(46), '"'.repeat(46)]) {
    assert.equal(uncarriedReference({ ...CARRIED, merchantReference: long }), long);
    const { merchantReference, ...others } = carriedFilter({ ...CARRIED, merchantReference: long });
    assert.match(JSON.stringify(merchantReference), /^\{"sha256":"[A-Za-z0-9_-]{43}"\}$/);
    assert.deepEqual({ ...others, merchantReference: CARRIED.merchantReference }, CARRIED);
  }
});
