import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { API_KEY_PREFIX, OPERATOR_ACCOUNT, SESSION_KEY_PREFIX } from '../../values/caller.ts';
import { SCOPES } from '../../values/scopes.ts';
import { isIdentifier } from '../ledger/transaction.ts';
import {
  explainAccountPrefix,
  explainLabel,
  formatListedKey,
  hasApiKeyForm,
  hashApiKey,
  isKeyId,
  isUsable,
  isWellFormedApiKey,
  isWithinPrefix,
  makeApiKey,
  readScopes,
  scopesOfStored,
  stateOfApiKey,
  storedScopes,
} from './api-key.ts';

const BASE62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
/** This key was issued in the past, so it must stay well-formed. */
const KEY = 'tk_live_BmNyZAlMxY9kLwX8jKvW7iJuV6hItU0QsdBN';

function generateApiKey(bytes: (length: number) => Uint8Array) {
  const { key, stored } = makeApiKey({ account: 'store-1', label: null, expiresAtMs: null }, 0, bytes);
  return { id: stored.id, key };
}

function bytesOf(...draws: number[][]) {
  return (length: number) => {
    const draw = draws.shift();
    assert.ok(draw !== undefined && draw.length === length, `${length} bytes were requested`);
    return Uint8Array.from(draw);
  };
}

test('a key is tk_live_, 30 characters of base62 and 6 of checksum; its id is key_ and 16', () => {
  for (let count = 0; count < 100; count++) {
    const { id, key } = generateApiKey(randomBytes);
    assert.match(key, /^tk_live_[0-9A-Za-z]{36}$/);
    assert.match(id, /^key_[0-9A-Za-z]{16}$/);
    assert.ok(isWellFormedApiKey(key), key);
    assert.ok(isKeyId(id), id);
    assert.ok(!key.includes(id.slice(4)), 'the id is part of the key');
  }
});

test('bytes that would make some characters more likely are drawn again', () => {
  const first = [...new Array(29).fill(0), 248];
  const second = [255, 249, 247, ...new Array(27).fill(1)];
  const { key, id } = generateApiKey(bytesOf(first, second, new Array(16).fill(61)));
  assert.equal(key.slice(8, 38), `${'0'.repeat(29)}z`);
  assert.equal(id, `key_${'z'.repeat(16)}`);
});

function* nearlyKey(): Generator<string> {
  for (let index = 0; index < KEY.length; index++) {
    for (const character of [...BASE62, '_', '-', ' ', 'é'])
      yield KEY.slice(0, index) + character + KEY.slice(index + 1);
    yield KEY.slice(0, index) + KEY[index + 1] + KEY[index] + KEY.slice(index + 2);
    yield KEY.slice(0, index);
  }
  for (const character of [...BASE62, '\n', ' ', '\0']) yield* [KEY + character, character + KEY];
  yield* [KEY.toUpperCase(), KEY.slice(8), `tk_test_${KEY.slice(8)}`, `Bearer ${KEY}`, `"${KEY}"`];
}

test('a text that is nearly a key is refused', () => {
  for (const text of nearlyKey()) {
    if (text === KEY || text.startsWith(SESSION_KEY_PREFIX)) continue;
    assert.equal(isWellFormedApiKey(text), false, text);
  }
});

test('a key is stored as its SHA-256 in lower-case hexadecimal', () => {
  assert.equal(hashApiKey(KEY), createHash('sha256').update(KEY, 'ascii').digest('hex'));
  assert.equal(hashApiKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('a key is usable until the millisecond of its expiry, and never after its revocation', () => {
  for (const [revokedAtMs, expiresAtMs, nowMs, state] of [
    [null, null, Number.MAX_SAFE_INTEGER, 'active'],
    [null, 1000, 999, 'active'],
    [null, 1000, 1000, 'expired'],
    [500, null, 499, 'revoked'],
    [500, 1000, 1000, 'revoked'],
  ] as const) {
    const key = { revokedAtMs, expiresAtMs };
    assert.deepEqual([stateOfApiKey(key, nowMs), isUsable(key, nowMs)], [state, state === 'active']);
  }
});

test('a new key is stored as its hash with its account, label and expiry; an operator key has another form', () => {
  const wanted = { account: 'store-1', label: 'till 4', expiresAtMs: 9000 };
  const { key, stored } = makeApiKey(wanted, 1000, randomBytes);
  assert.ok(key.startsWith(API_KEY_PREFIX));
  const { id, ...fields } = stored;
  assert.ok(isKeyId(id));
  assert.deepEqual(fields, {
    ...wanted,
    hash: hashApiKey(key),
    keyStart: key.slice(0, 'tk_live_'.length + 6),
    scopes: ['read'],
    accountPrefix: null,
    createdAtMs: 1000,
    revokedAtMs: null,
    rolledAtMs: null,
    expiresBeforeRollMs: null,
    lastUsedAtMs: null,
    session: null,
  });

  const shown = formatListedKey({ ...stored, revokedAtMs: 1500 }, 1600);
  assert.deepEqual([shown.state, shown.revokedAt], ['revoked', '1970-01-01T00:00:01.500Z']);
  assert.ok(![key, stored.hash].some((secret) => JSON.stringify(shown).includes(secret)));
  assert.ok(hasApiKeyForm(`${key.slice(0, -1)}0`) && !hasApiKeyForm(id));

  const operator = makeApiKey({ ...wanted, account: OPERATOR_ACCOUNT }, 1000, randomBytes);
  assert.equal(isIdentifier(OPERATOR_ACCOUNT), false);
  assert.deepEqual(operator.stored.scopes, ['record', 'keys']);
  assert.equal(operator.stored.keyStart, operator.key.slice(0, 'tk_operator_'.length + 6));
  assert.match(operator.key, /^tk_operator_[0-9A-Za-z]{36}$/);
  assert.equal(isWellFormedApiKey(operator.key), false);
  assert.equal(isWellFormedApiKey(operator.key, 'operator'), true);
  assert.equal(isWellFormedApiKey(key, 'operator'), false);
});

test('a label has 1 to 100 characters, no control character, and at least one visible character', () => {
  for (const label of ['a', 'till 4', '😀'.repeat(100)]) assert.equal(explainLabel(label), undefined, label);
  for (const label of ['', 'x'.repeat(101), 'a\nb']) assert.match(explainLabel(label) ?? '', /1 to 100/);
  for (const label of [' ', '\u3164', '\u2800\u200b', '\u{e0041}'])
    assert.match(explainLabel(label) ?? '', /visible/);
});

test('scopes are listed once each, in a fixed order; a fault says what is wrong, and names the scopes of the kind', () => {
  for (const kind of ['account', 'operator'] as const) {
    const scopes = SCOPES[kind];
    assert.deepEqual(readScopes([...scopes, ...scopes].reverse(), kind), { scopes });
    assert.deepEqual(scopesOfStored(storedScopes(scopes), kind), scopes);
    for (const other of ['', 'Read', 'constructor']) assert.ok('fault' in readScopes(['read', other], kind));
  }
  assert.deepEqual(readScopes([], 'account'), {
    fault: "has no scope; the scopes of an account's key are read and webhooks",
  });
  assert.deepEqual(readScopes(['record', 'write'], 'operator'), {
    fault: `has "write", which is not a scope; the scopes of an operator's key are record, keys, read, sessions`,
  });
});

test('a stored name that is not a scope of the kind of key allows nothing', () => {
  assert.deepEqual(scopesOfStored('read refund', 'account'), ['read']);
  assert.deepEqual(scopesOfStored('refund', 'account'), []);
  assert.deepEqual(scopesOfStored('record keys', 'account'), []);
  assert.deepEqual(scopesOfStored('webhooks refund', 'operator'), []);
  assert.deepEqual(scopesOfStored('read webhooks', 'operator'), ['read']);
  assert.deepEqual(scopesOfStored('', 'operator'), []);
});

test('a prefix is a text with which an account can begin', () => {
  for (const prefix of ['shop-', 's', '.', '..', 'store-1', 'x'.repeat(64)])
    assert.equal(explainAccountPrefix(prefix), undefined, prefix);
  for (const prefix of ['', '*', 'shop ', 'é', 'x'.repeat(65), 'a/b', 'a\n'])
    assert.match(explainAccountPrefix(prefix) ?? '', /1 to 64 characters/, prefix);
});

test('an account is within a prefix with which it begins exactly, and within null', () => {
  assert.ok(isWithinPrefix('shop-1', null));
  for (const prefix of ['s', 'shop-', 'shop-1']) assert.ok(isWithinPrefix('shop-1', prefix), prefix);
  for (const prefix of ['Shop-', 'shop-10', 'hop-', '-'])
    assert.ok(!isWithinPrefix('shop-1', prefix), prefix);
});
