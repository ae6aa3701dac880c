import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type Caller, OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { type ApiKey, makeApiKey } from './api-key.ts';
import { ApiKeyUses, authenticate, isStillAdmitted } from './key-cache.ts';
import type { ApiKeyUse, KeyEnd } from './keys.ts';

const NOW_MS = Date.UTC(2026, 5, 15, 12);

const FIRST: Caller = {
  account: 'store-1',
  keyId: 'key_first',
  person: null,
  madeBy: null,
  keyHash: 'first',
  expiresAtMs: null,
  scopes: ['read'],
  accountPrefix: null,
};
const SECOND: Caller = { ...FIRST, account: 'store-2', keyId: 'key_second' };

function keyOf(fields: Partial<ApiKey> = {}): { key: string; stored: ApiKey } {
  const { key, stored } = makeApiKey({ account: 'store-1', label: null, expiresAtMs: null }, 0, randomBytes);
  return { key, stored: { ...stored, ...fields } };
}

class Keys {
  readonly keys: ApiKey[];
  readonly lookedUp: string[] = [];

  constructor(...keys: ApiKey[]) {
    this.keys = keys;
  }
  async find(hash: string) {
    this.lookedUp.push(hash);
    return this.keys.find((key) => key.hash === hash);
  }
}

class UseStore {
  readonly touched: ApiKeyUse[][] = [];
  beforeTouch: () => void = () => {};

  async touchApiKeys(uses: readonly ApiKeyUse[]) {
    this.beforeTouch();
    this.touched.push(uses.map((use) => ({ ...use })));
  }
}

test('a misspelt key is refused before it is looked up', async () => {
  const { key, stored } = keyOf();
  const keys = new Keys(stored);
  const last = key.at(-1) === '0' ? '1' : '0';
  for (const misspelt of [
    '',
    ' ',
    `${key} `,
    key.slice(0, -1),
    key.slice(0, -1) + last,
    stored.hash,
    stored.id,
  ])
    assert.equal(await authenticate(keys, misspelt, NOW_MS), undefined);
  assert.deepEqual(keys.lookedUp, []);
});

test("a caller has its key's account, scopes and prefix; a cached key needs no promise", async () => {
  const { key, stored } = makeApiKey(
    { account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null, scopes: ['keys'], accountPrefix: 'shop-' },
    NOW_MS,
    randomBytes,
  );
  const caller = {
    ...FIRST,
    ...{ account: OPERATOR_ACCOUNT, keyId: stored.id, keyHash: stored.hash },
    ...{ scopes: ['keys'], accountPrefix: 'shop-' },
  };
  const keys = new Keys(keyOf().stored, stored);
  assert.deepEqual(await authenticate(keys, key, NOW_MS, 'operator'), caller);
  assert.deepEqual(keys.lookedUp, [stored.hash]);
  assert.deepEqual(authenticate({ find: () => stored }, key, NOW_MS, 'operator'), caller);
  const expired = { ...stored, expiresAtMs: NOW_MS };
  assert.equal(authenticate({ find: () => expired }, key, NOW_MS, 'operator'), undefined);
});

test('an admitted caller stays admitted until its key is revoked or expires', () => {
  const endOf = (id: string) =>
    id === 'key_revoked' ? { id, revokedAtMs: NOW_MS - 5, expiresAtMs: null, recordedAtMs: 1 } : undefined;
  const keys = { endOf };
  const caller = { ...FIRST, expiresAtMs: NOW_MS };
  assert.ok(isStillAdmitted(keys, caller, NOW_MS - 1));
  assert.ok(!isStillAdmitted(keys, caller, NOW_MS));
  assert.ok(isStillAdmitted(keys, { ...caller, expiresAtMs: null }, NOW_MS));
  assert.ok(!isStillAdmitted(keys, { ...caller, keyId: 'key_revoked', expiresAtMs: null }, NOW_MS));
});

test('an admitted caller whose key is rolled stays admitted until the end of the key, even if that is no longer listed', () => {
  const ends = new Map<string, KeyEnd>();
  const keys = { endOf: (id: string) => ends.get(id) };
  const caller = { ...FIRST };
  assert.ok(isStillAdmitted(keys, caller, NOW_MS));
  ends.set(caller.keyId, { id: caller.keyId, revokedAtMs: null, expiresAtMs: NOW_MS + 5, recordedAtMs: 1 });
  assert.ok(isStillAdmitted(keys, caller, NOW_MS));
  ends.clear();
  assert.ok(isStillAdmitted(keys, caller, NOW_MS + 4));
  assert.ok(!isStillAdmitted(keys, caller, NOW_MS + 5));
});

const useOf = ({ account, keyId }: Caller, usedAtMs: number): ApiKeyUse => ({ account, id: keyId, usedAtMs });

test('uses that could not be written are kept, with those noted during the write, each with its later time', async () => {
  for (const meanwhileMs of [5, 20]) {
    const uses = new ApiKeyUses();
    const store = new UseStore();
    const failure = new StoreUnavailable('database_error', 'gone');
    store.beforeTouch = () => {
      uses.note(FIRST, meanwhileMs);
      throw failure;
    };
    for (const usedAtMs of [10, 9]) uses.note(FIRST, usedAtMs);
    uses.note(SECOND, 7);
    await assert.rejects(uses.flush(store), failure);
    store.beforeTouch = () => {};
    for (let times = 0; times < 2; times++) await uses.flush(store);
    assert.deepEqual(store.touched, [[useOf(FIRST, Math.max(10, meanwhileMs)), useOf(SECOND, 7)]]);
  }
});

test('an account key is never an operator key, nor the reverse, whatever the database has stored', async () => {
  const account = keyOf();
  const operator = makeApiKey(
    { account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null },
    NOW_MS,
    randomBytes,
  );
  const keys = new Keys(account.stored, operator.stored);
  assert.equal((await authenticate(keys, operator.key, NOW_MS, 'operator'))?.account, OPERATOR_ACCOUNT);
  assert.equal(await authenticate(keys, operator.key, NOW_MS), undefined);
  assert.equal(await authenticate(keys, account.key, NOW_MS, 'operator'), undefined);

  const [first, second] = [
    keyOf({ account: OPERATOR_ACCOUNT }),
    makeApiKey({ ...operator.stored }, NOW_MS, randomBytes),
  ];
  const changed = new Keys(first.stored, { ...second.stored, account: 'store-1' });
  assert.equal(await authenticate(changed, first.key, NOW_MS), undefined);
  assert.equal(await authenticate(changed, second.key, NOW_MS, 'operator'), undefined);
});
