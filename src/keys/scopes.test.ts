import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import { type KeyKind, SCOPES } from '../../values/scopes.ts';
import {
  DEFAULT_SCOPES,
  explainAccountPrefix,
  isWithinPrefix,
  readScopes,
  scopesOfStored,
  storedScopes,
} from './scopes.ts';

const KINDS = Object.keys(SCOPES) as KeyKind[];
const ALL: readonly string[] = Object.values(SCOPES).flat();

test('names are scopes of a kind of key if that kind has all of them; each once, in one order', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS),
      fc.array(fc.constantFrom(...ALL, 'write', '', 'Read', 'constructor')),
      (kind, names) => {
        const known: readonly string[] = SCOPES[kind];
        const read = readScopes(names, kind);
        if (names.length > 0 && names.every((name) => known.includes(name))) {
          assert.ok('scopes' in read);
          assert.deepEqual(
            read.scopes,
            known.filter((scope) => names.includes(scope)),
          );
          assert.deepEqual(scopesOfStored(storedScopes(read.scopes), kind), read.scopes);
        } else {
          assert.ok('fault' in read);
        }
      },
    ),
  );
});

test('a fault says what is wrong, and names the scopes of the kind', () => {
  assert.deepEqual(readScopes([], 'account'), {
    fault: "has no scope; the scopes of an account's key are read and webhooks",
  });
  assert.deepEqual(readScopes(['record', 'write'], 'operator'), {
    fault: `has "write", which is not a scope; the scopes of an operator's key are record, keys, read, sessions`,
  });
});

test('a key for which no scopes are named can only do what most need', () => {
  assert.deepEqual(DEFAULT_SCOPES, { account: ['read'], operator: ['record', 'keys'] });
});

test('a stored name that is no scope of the kind allows nothing', () => {
  assert.deepEqual(scopesOfStored('read refund', 'account'), ['read']);
  assert.deepEqual(scopesOfStored('refund', 'account'), []);
  assert.deepEqual(scopesOfStored('record keys', 'account'), []);
  assert.deepEqual(scopesOfStored('webhooks refund', 'operator'), []);
  assert.deepEqual(scopesOfStored('read webhooks', 'operator'), ['read']);
  assert.deepEqual(scopesOfStored('', 'operator'), []);
});

test('a prefix is what an account can begin with', () => {
  for (const prefix of ['shop-', 's', '.', '..', 'store-1', 'x'.repeat(64)])
    assert.equal(explainAccountPrefix(prefix), undefined, prefix);
  for (const prefix of ['', '*', 'shop ', 'é', 'x'.repeat(65), 'a/b', 'a\n'])
    assert.match(explainAccountPrefix(prefix) ?? '', /1 to 64 characters/, prefix);
});

test('an account is within a prefix that it begins with exactly, and within no prefix', () => {
  assert.ok(isWithinPrefix('shop-1', null));
  for (const prefix of ['s', 'shop-', 'shop-1']) assert.ok(isWithinPrefix('shop-1', prefix), prefix);
  for (const prefix of ['Shop-', 'shop-10', 'hop-', '-'])
    assert.ok(!isWithinPrefix('shop-1', prefix), prefix);
});
