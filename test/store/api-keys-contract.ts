import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import type { ApiKey } from '../../src/core/access/api-key.ts';
import type { Store } from '../../src/core/store.ts';

export const apiKey = (id: string, fields: Partial<ApiKey> = {}): ApiKey => ({
  id,
  account: 'store-1',
  hash: hash('sha256', id, 'hex'),
  label: null,
  createdAtMs: 1000,
  expiresAtMs: null,
  revokedAtMs: null,
  lastUsedAtMs: null,
  ...fields,
});

/** The contract of every store for API keys. */
export function apiKeysContract(current: () => { store: Store; open(): Promise<Store> }): void {
  describe('its API keys', () => {
    let store: Store;
    beforeEach(() => {
      store = current().store;
    });

    test('are found by their hash, with every stored field', async () => {
      const stored = apiKey('key_0000000000000001', { label: 'till 4', expiresAtMs: 5000 });
      await store.createApiKey(stored);
      await store.createApiKey(apiKey('key_0000000000000002'));
      assert.deepEqual({ ...(await store.findApiKey(stored.hash)) }, stored);
      assert.equal(await store.findApiKey(hash('sha256', 'another', 'hex')), undefined);
    });

    test('are listed oldest first, for all accounts or for one', async () => {
      await store.createApiKey(apiKey('key_0000000000000002', { createdAtMs: 2000 }));
      await store.createApiKey(apiKey('key_0000000000000001', { account: 'store-2', createdAtMs: 3000 }));
      await store.createApiKey(apiKey('key_0000000000000003'));
      const ids = async (account: string | null) => (await store.listApiKeys(account)).map(({ id }) => id);
      assert.deepEqual(await ids(null), [
        'key_0000000000000003',
        'key_0000000000000002',
        'key_0000000000000001',
      ]);
      assert.deepEqual(await ids('store-1'), ['key_0000000000000003', 'key_0000000000000002']);
      assert.deepEqual(await ids('store-3'), []);
    });

    test('are revoked once: the time of the first revocation stays', async () => {
      await store.createApiKey(apiKey('key_0000000000000001'));
      assert.equal((await store.revokeApiKey('key_0000000000000001', 7000))?.id, 'key_0000000000000001');
      const first = (await store.findApiKey(apiKey('key_0000000000000001').hash))?.revokedAtMs;
      assert.notEqual(first, null);
      assert.equal((await store.revokeApiKey('key_0000000000000001', 9_999_999_999_999))?.revokedAtMs, first);
      assert.equal(await store.revokeApiKey('key_0000000000000009', 7000), undefined);
    });

    test('are listed as recently revoked to every instance, each once', async () => {
      await store.createApiKey(apiKey('key_0000000000000001'));
      await store.createApiKey(apiKey('key_0000000000000002'));
      assert.deepEqual(await store.listRecentlyRevoked(), []);
      // Also if the clock of the revoking instance is wrong.
      await store.revokeApiKey('key_0000000000000002', 7000);
      await store.revokeApiKey('key_0000000000000002', 9_999_999_999_999);
      const other = await current().open();
      assert.deepEqual(await other.listRecentlyRevoked(), ['key_0000000000000002']);
    });

    test('store their last use, which never goes back', async () => {
      await store.createApiKey(apiKey('key_0000000000000001'));
      const touch = async (usedAtMs: number) => {
        await store.touchApiKeys([{ account: 'store-1', id: 'key_0000000000000001', usedAtMs }]);
        return (await store.findApiKey(apiKey('key_0000000000000001').hash))?.lastUsedAtMs;
      };
      assert.equal(await touch(2000), 2000);
      assert.equal(await touch(1500), 2000);
      assert.equal(await touch(2500), 2500);
    });

    test('store the uses of several keys at once, and ignore an unknown key', async () => {
      const ids = ['key_0000000000000001', 'key_0000000000000002'];
      for (const id of ids) await store.createApiKey(apiKey(id));
      await store.touchApiKeys(
        [...ids, 'key_0000000000000009'].map((id, index) => ({
          account: 'store-1',
          id,
          usedAtMs: 2000 + index,
        })),
      );
      assert.deepEqual(
        (await store.listApiKeys(null)).map(({ lastUsedAtMs }) => lastUsedAtMs),
        [2000, 2001],
      );
    });
  });
}
