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

/** Keys in memory, and the hashes that were looked up. */
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

/** A store that collects the uses written to it, and can fail. */
class UseStore {
  readonly touched: ApiKeyUse[][] = [];
  beforeTouch: () => void = () => {};

  async touchApiKeys(uses: readonly ApiKeyUse[]) {
    this.beforeTouch();
    this.touched.push(uses.map((use) => ({ ...use })));
  }
}

test('a known key identifies its account', async () => {
  const { key, stored } = keyOf();
  const keys = new Keys(keyOf({ account: 'store-2' }).stored, stored);
  assert.deepEqual(await authenticate(keys, key, NOW_MS), {
    account: 'store-1',
    keyId: stored.id,
    person: null,
    madeBy: null,
    keyHash: stored.hash,
    expiresAtMs: null,
    scopes: ['read'],
    accountPrefix: null,
  });
});

test("a caller has its key's scopes and prefix", async () => {
  const rights = { scopes: ['keys'], accountPrefix: 'shop-' } as const;
  const { key, stored } = makeApiKey(
    { account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null, ...rights },
    NOW_MS,
    randomBytes,
  );
  const caller = await authenticate(new Keys(stored), key, NOW_MS, 'operator');
  assert.deepEqual([caller?.scopes, caller?.accountPrefix], [rights.scopes, rights.accountPrefix]);
});

test('a key is looked up by its hash alone, once', async () => {
  const { key, stored } = keyOf();
  const keys = new Keys(stored);
  await authenticate(keys, key, NOW_MS);
  assert.deepEqual(keys.lookedUp, [stored.hash]);
});

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

test('an unknown, a revoked and an expired key are refused', async () => {
  const revoked = keyOf({ revokedAtMs: NOW_MS - 1 });
  const expired = keyOf({ expiresAtMs: NOW_MS });
  const keys = new Keys(revoked.stored, expired.stored);
  for (const { key } of [keyOf(), revoked, expired])
    assert.equal(await authenticate(keys, key, NOW_MS), undefined);
  assert.equal(keys.lookedUp.length, 3);
});

test('a key identifies its account until the millisecond of its expiry', async () => {
  const { key, stored } = keyOf({ expiresAtMs: NOW_MS });
  const keys = new Keys(stored);
  assert.notEqual(await authenticate(keys, key, NOW_MS - 1), undefined);
  assert.equal(await authenticate(keys, key, NOW_MS), undefined);
});

test('a cached key gives a result without a promise, by the same rules', () => {
  const usable = keyOf();
  const expired = keyOf({ expiresAtMs: NOW_MS });
  const find = (hash: string) => [usable.stored, expired.stored].find((stored) => stored.hash === hash);
  assert.deepEqual(authenticate({ find }, usable.key, NOW_MS), {
    account: 'store-1',
    keyId: usable.stored.id,
    person: null,
    madeBy: null,
    keyHash: usable.stored.hash,
    expiresAtMs: null,
    scopes: ['read'],
    accountPrefix: null,
  });
  assert.equal(authenticate({ find }, expired.key, NOW_MS), undefined);
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

test('an admitted caller whose key is rolled stays admitted until the end of the key, also if that is no longer listed', () => {
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

test("a store that can't answer is an error, not a refusal of the key", async () => {
  const failure = new StoreUnavailable('database_error', 'gone');
  const find = () => Promise.reject(failure);
  await assert.rejects(async () => authenticate({ find }, keyOf().key, NOW_MS), failure);
});

const useOf = ({ account, keyId }: Caller, usedAtMs: number): ApiKeyUse => ({ account, id: keyId, usedAtMs });

test('the uses of all keys are written together, each with its latest time', async () => {
  const uses = new ApiKeyUses();
  const store = new UseStore();
  uses.note(FIRST, 1);
  uses.note(SECOND, 5);
  uses.note(FIRST, 3);
  uses.note(FIRST, 2);
  await uses.flush(store);
  assert.deepEqual(store.touched, [[useOf(FIRST, 3), useOf(SECOND, 5)]]);
});

test('written uses are not written again, and without uses nothing is written', async () => {
  const uses = new ApiKeyUses();
  const store = new UseStore();
  await uses.flush(store);
  uses.note(FIRST, 1);
  await uses.flush(store);
  await uses.flush(store);
  assert.deepEqual(store.touched, [[useOf(FIRST, 1)]]);
});

test('uses that could not be written are kept, with those noted during the write, each with its later time', async () => {
  for (const meanwhileMs of [5, 20]) {
    const uses = new ApiKeyUses();
    const store = new UseStore();
    const failure = new StoreUnavailable('database_error', 'gone');
    store.beforeTouch = () => {
      uses.note(FIRST, meanwhileMs);
      throw failure;
    };
    uses.note(FIRST, 10);
    uses.note(SECOND, 7);
    await assert.rejects(uses.flush(store), failure);
    store.beforeTouch = () => {};
    await uses.flush(store);
    assert.deepEqual(store.touched, [[useOf(FIRST, Math.max(10, meanwhileMs)), useOf(SECOND, 7)]]);
  }
});

test('a use noted during a write is written the next time', async () => {
  const uses = new ApiKeyUses();
  const store = new UseStore();
  store.beforeTouch = () => uses.note(FIRST, 2);
  uses.note(FIRST, 1);
  await uses.flush(store);
  store.beforeTouch = () => {};
  await uses.flush(store);
  assert.deepEqual(store.touched, [[useOf(FIRST, 1)], [useOf(FIRST, 2)]]);
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

  // The form is not enough: the stored key must be of the same kind.
  const [first, second] = [
    keyOf({ account: OPERATOR_ACCOUNT }),
    makeApiKey({ ...operator.stored }, NOW_MS, randomBytes),
  ];
  const changed = new Keys(first.stored, { ...second.stored, account: 'store-1' });
  assert.equal(await authenticate(changed, first.key, NOW_MS), undefined);
  assert.equal(await authenticate(changed, second.key, NOW_MS, 'operator'), undefined);
});
