import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { ApiKey } from '../../src/keys/api-key.ts';
import type { KeyRoll } from '../../src/keys/keys.ts';
import type { Store } from '../../src/store/store.ts';
import { DAY_MS } from '../../values/calendar.ts';
import { someEntry } from '../rig/store/audit.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';

export const apiKey = (id: string, fields: Partial<ApiKey> = {}): ApiKey => ({
  id,
  account: 'store-1',
  hash: hash('sha256', id, 'hex'),
  keyStart: 'tk_live_aaaaaa',
  label: null,
  scopes: ['read'],
  accountPrefix: null,
  createdAtMs: 1000,
  expiresAtMs: null,
  revokedAtMs: null,
  rolledAtMs: null,
  expiresBeforeRollMs: null,
  lastUsedAtMs: null,
  session: null,
  ...fields,
});

const roll = (id: string, newId: string, fields: { nowMs: number; untilMs?: number }): KeyRoll => ({
  account: 'store-1',
  id,
  created: apiKey(newId, { createdAtMs: fields.nowMs }),
  untilMs: fields.nowMs + 1000,
  ...fields,
});

export function apiKeysContract(store: Store, harness: StoreHarness): void {
  describe('its API keys', () => {
    const create = async (...keys: ApiKey[]) => {
      for (const key of keys) await store.createApiKey(key, someEntry());
    };
    const revoke = (id: string, nowMs: number) => store.revokeApiKey(id, nowMs, someEntry());
    const rollKey = (...rolling: Parameters<typeof roll>) => store.rollApiKey(roll(...rolling), someEntry());

    test('are found by their hash, and by their id, with every stored field', async () => {
      const stored = apiKey('key_0000000000000001', {
        keyStart: 'tk_live_0aZ9bY',
        label: 'till 4',
        scopes: ['read', 'webhooks'],
        expiresAtMs: 5000,
      });
      const operators = apiKey('key_0000000000000003', {
        account: '*',
        scopes: ['keys'],
        accountPrefix: 'shop-',
        keyStart: 'tk_operator_AAAAAA',
      });
      await create(stored, apiKey('key_0000000000000002'), operators);
      for (const key of [stored, operators]) assert.deepEqual({ ...(await store.findApiKey(key.hash)) }, key);
      assert.equal(await store.findApiKey(hash('sha256', 'another', 'hex')), undefined);
      for (const key of [stored, operators])
        assert.deepEqual({ ...(await store.retrieveApiKey(key.id)) }, key);
      assert.equal(await store.retrieveApiKey('key_000000000000000x'), undefined);
    });

    test('are listed in pages by account, oldest first, for all accounts or for one', async () => {
      await create(
        apiKey('key_0000000000000002', { createdAtMs: 2000 }),
        apiKey('key_0000000000000001', { account: 'store-2', createdAtMs: 3000 }),
        apiKey('key_0000000000000003'),
        apiKey('key_000000000000000a', { account: '*', createdAtMs: 4000 }),
        apiKey('key_0000000000000004', { createdAtMs: 2000 }),
      );
      const ids = async (account: string | null, limit: number) => {
        const found: string[] = [];
        for (let after: ApiKey | null = null; ; ) {
          const page: ApiKey[] = await store.listApiKeys(account, after, limit);
          assert.ok(page.length <= limit);
          found.push(...page.map(({ id }) => id.slice(-1)));
          if (page.length < limit) return found.join('');
          after = page.at(-1) as ApiKey;
        }
      };
      for (const limit of [1, 2, 3, 100]) {
        assert.equal(await ids(null, limit), 'a3241');
        assert.equal(await ids('store-1', limit), '324');
        assert.equal(await ids('store-2', limit), '1');
        assert.equal(await ids('store-3', limit), '');
      }
    });

    test('that were revoked or rolled are listed once with their ends to every instance', async () => {
      const ids = [1, 2, 3, 4].map((number) => `key_000000000000000${number}`);
      await create(...ids.map((id) => apiKey(id, { expiresAtMs: 9_000_000 })));
      assert.deepEqual(await store.listKeyEnds(null), []);
      await revoke('key_0000000000000002', 7000);
      await revoke('key_0000000000000002', 9_999_999_999_999);
      await rollKey('key_0000000000000003', 'key_0000000000000005', { nowMs: 100 });
      await rollKey('key_0000000000000003', 'key_0000000000000006', { nowMs: 90 });
      await rollKey('key_0000000000000004', 'key_0000000000000007', { nowMs: 80 });
      await revoke('key_0000000000000004', 95);
      const other = await harness.open();
      const listed = await other.listKeyEnds(null);
      assert.deepEqual(
        listed.map(({ recordedAtMs, ...end }) => end),
        [
          { id: 'key_0000000000000002', revokedAtMs: 7000, expiresAtMs: 9_000_000 },
          { id: 'key_0000000000000003', revokedAtMs: null, expiresAtMs: 1090 },
          { id: 'key_0000000000000004', revokedAtMs: 95, expiresAtMs: 1080 },
        ],
      );
    });

    test('are listed from the last known end on: earlier ends are not read again, but a later end of the same key is', async () => {
      const ids = [1, 2, 3].map((number) => `key_000000000000000${number}`);
      await create(...ids.map((id) => apiKey(id)));
      await rollKey('key_0000000000000001', 'key_0000000000000005', { nowMs: 100 });
      await Promise.all(ids.slice(1).map((id) => revoke(id, 7000)));
      const all = await store.listKeyEnds(null);
      assert.deepEqual(all.map(({ id }) => id).sort(), ids);
      for (const [index, { recordedAtMs }] of all.entries())
        assert.deepEqual(await store.listKeyEnds(recordedAtMs), all.slice(index));
      const last = all.at(-1)?.recordedAtMs as number;
      await revoke('key_0000000000000002', 8000);
      assert.deepEqual(await store.listKeyEnds(last), all.slice(-1));
      await revoke('key_0000000000000001', 8000);
      const [known, end, ...others] = await (await harness.open()).listKeyEnds(last);
      assert.deepEqual(known, all.at(-1));
      assert.deepEqual([end?.id, end?.revokedAtMs, others], ['key_0000000000000001', 8000, []]);
      assert.ok((end?.recordedAtMs as number) > last);
    });

    test('that are rolled end at their new expiry, and a new key is stored with them', async () => {
      const old = apiKey('key_0000000000000001');
      await create(old);
      const first = roll(old.id, 'key_0000000000000002', { nowMs: 5000 });
      const rolled = { ...old, expiresAtMs: 6000, rolledAtMs: 5000 };
      assert.deepEqual({ ...(await store.rollApiKey(first, someEntry())) }, rolled);
      assert.deepEqual({ ...(await store.findApiKey(old.hash)) }, rolled);
      assert.deepEqual({ ...(await store.findApiKey(first.created?.hash ?? '')) }, first.created);

      await rollKey(old.id, 'key_0000000000000003', { nowMs: 5100 });
      assert.deepEqual({ ...(await store.findApiKey(old.hash)) }, rolled);
      await rollKey(old.id, 'key_0000000000000004', { nowMs: 5200, untilMs: 5200 });
      const ended = { ...rolled, expiresAtMs: 5200, revokedAtMs: 5200 };
      assert.deepEqual({ ...(await store.findApiKey(old.hash)) }, ended);
      assert.equal((await store.listApiKeys(null, null, 100)).length, 4);
    });

    test('keep an earlier expiry when they are rolled, and the expiry from before the roll is stored', async () => {
      const old = apiKey('key_0000000000000001', { expiresAtMs: 5500 });
      await create(old);
      for (const [nowMs, untilMs, expected] of [
        [5000, 6000, 5500],
        [5100, 5300, 5300],
      ] as const) {
        const rolled = await rollKey(old.id, `key_000000000000${nowMs}`, { nowMs, untilMs });
        assert.deepEqual(
          [rolled?.expiresAtMs, rolled?.expiresBeforeRollMs, rolled?.rolledAtMs],
          [expected, 5500, 5000],
        );
      }
    });

    test('that are revoked, unknown or of another account are not rolled, and no new key is stored', async () => {
      await create(apiKey('key_0000000000000002'));
      await revoke('key_0000000000000002', 4000);
      await create(apiKey('key_0000000000000003', { account: 'store-2' }));
      const before = await store.listApiKeys(null, null, 100);
      for (const id of [2, 3, 4].map((number) => `key_000000000000000${number}`))
        assert.equal(await rollKey(id, 'key_0000000000000009', { nowMs: 5000 }), undefined);
      assert.deepEqual(await store.listApiKeys(null, null, 100), before);
    });

    test('are not rolled if the new key cannot be stored', async () => {
      await create(apiKey('key_0000000000000001'), apiKey('key_0000000000000002'));
      const before = await store.listApiKeys(null, null, 100);
      const clash = roll('key_0000000000000001', 'key_0000000000000002', { nowMs: 5000 });
      await assert.rejects(store.rollApiKey(clash, someEntry()));
      assert.deepEqual(await store.listApiKeys(null, null, 100), before);
    });

    test('store the times of their last uses at once: the latest one, unless that is of a clock 30 days ahead; an unknown key is ignored', async () => {
      const ids = ['key_0000000000000001', 'key_0000000000000002'];
      await create(...ids.map((id) => apiKey(id)));
      const ahead = 2000 + 30 * DAY_MS;
      for (const [first, second, ...stored] of [
        [2000, 2001, 2000, 2001],
        [1500, 2500, 2000, 2500],
        [ahead, 2500, ahead, 2500],
        [2000, 2500, 2000, 2500],
      ]) {
        const uses = [first, second, 9000].map((usedAtMs, index) => ({
          account: 'store-1',
          id: ids[index] ?? 'key_0000000000000009',
          usedAtMs: usedAtMs as number,
        }));
        await store.touchApiKeys(uses);
        const keys = await store.listApiKeys(null, null, 100);
        assert.deepEqual(
          keys.map(({ lastUsedAtMs }) => lastUsedAtMs),
          stored,
        );
      }
    });
  });
}
