import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { type AuditAction, type AuditDetail, type AuditEntry, auditEntry } from '../../src/audit/audit.ts';
import { repeatChanges } from '../../src/operate/repeat/repeat-changes.ts';
import type { Store } from '../../src/store/store.ts';
import type { ListedWebhook } from '../../src/webhooks/webhook.ts';
import { someStamp } from '../rig/store/audit.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';
import { apiKey } from './api-keys-contract.ts';

export function auditContract(store: Store): void {
  describe('its audit trail', () => {
    let made: AuditEntry[];
    beforeEach(() => {
      made = [];
    });

    const key = apiKey('key_0000000000000001');
    const entryOf = (action: AuditAction, subject: string, detail: AuditDetail | null = null) =>
      auditEntry(someStamp(1000 + made.length), action, 'store-1', subject, detail);

    async function makes<Result>(entry: AuditEntry, change: (entry: AuditEntry) => Promise<Result>) {
      made.push(entry);
      return change(entry);
    }
    const trail = (account: string | null = 'store-1') => store.listAudit(account, null, 1000);
    const changesNothing = async (change: Promise<unknown>) => {
      await change.catch(() => {});
      assert.deepEqual(await trail(), made);
    };

    test('has the creation, roll and revocation of a key, and no entry for a call that changed nothing', async () => {
      const newKey = apiKey('key_0000000000000002');
      await makes(entryOf('key.created', key.id, { scopes: ['read'], expiresAt: null }), (entry) =>
        store.createApiKey(key, entry),
      );
      await changesNothing(store.createApiKey(key, entryOf('key.created', key.id)));
      const roll = { account: 'store-1', id: key.id, created: newKey, untilMs: 9000, nowMs: 5000 };
      const ofRoll = entryOf('key.rolled', key.id, { newKeyId: newKey.id, acceptedUntil: null });
      assert.equal((await makes(ofRoll, (entry) => store.rollApiKey(roll, entry)))?.expiresAtMs, 9000);
      await changesNothing(store.rollApiKey({ ...roll, nowMs: 9000 }, entryOf('key.rolled', key.id)));
      await makes(entryOf('key.revoked', key.id), (entry) => store.revokeApiKey(key.id, 6000, entry));
      await changesNothing(store.revokeApiKey(key.id, 7000, entryOf('key.revoked', key.id)));
      await changesNothing(store.revokeApiKey('key_0000000000000009', 7000, entryOf('key.revoked', key.id)));
      assert.deepEqual(await trail(), made);
    });

    test('has the setting of an end of a key without a new key', async () => {
      await makes(entryOf('key.created', key.id), (entry) => store.createApiKey(key, entry));
      const roll = { account: 'store-1', id: key.id, created: null, untilMs: 9000, nowMs: 5000 };
      await makes(entryOf('key.rolled', key.id), (entry) => store.rollApiKey(roll, entry));
      assert.deepEqual(await trail(), made);
      const { length } = await store.listApiKeys('store-1', null, 10);
      assert.deepEqual([length, (await store.retrieveApiKey(key.id))?.expiresAtMs], [1, 9000]);
    });

    test('has each change of an endpoint, and no entry for a call that changed nothing', async () => {
      const one = webhook(1);
      await makes(entryOf('endpoint.created', one.id), (entry) => store.createWebhook(one, 1, entry));
      await changesNothing(store.createWebhook(webhook(2), 1, entryOf('endpoint.created', idOf(2))));
      const changed = { ...one, label: 'till', version: 2 };
      await makes(entryOf('endpoint.changed', one.id, { fields: ['label'] }), (entry) =>
        store.replaceWebhook(changed, 'change', entry),
      );
      await changesNothing(store.replaceWebhook(changed, 'change', entryOf('endpoint.changed', one.id)));
      const replayed = { ...changed, version: 3, replayVersion: 3 };
      await makes(entryOf('endpoint.replayed', one.id, { after: 0 }), (entry) =>
        store.replaceWebhook(replayed, 'replay', entry),
      );
      const disabled = { reason: 'gone', atMs: 5 } as const;
      const ofStop = entryOf('endpoint.disabled', one.id, { reason: 'gone' });
      await makes(ofStop, (entry) => store.disableWebhook('store-1', one.id, 3, disabled, entry));
      await changesNothing(
        store.disableWebhook('store-1', one.id, 3, disabled, entryOf('endpoint.disabled', one.id)),
      );
      await store.storeProgress('store-1', one.id, 4, progress(0, { failed: [failure(1)] }));
      await store.retryWebhookFailure('store-1', one.id, 1, 5);
      await makes(entryOf('endpoint.deleted', one.id), (entry) =>
        store.deleteWebhook('store-1', one.id, entry),
      );
      await changesNothing(store.deleteWebhook('store-1', one.id, entryOf('endpoint.deleted', one.id)));
      assert.deepEqual(await trail(), made);
    });

    test('is listed by time in pages, for one account or all', async () => {
      const accounts = ['b', 'a', '*', 'b'];
      const entries = accounts.map((account, index) =>
        auditEntry(someStamp(index < 2 ? 1000 : 2000 + index), 'key.created', account, `key_${index}`),
      );
      for (const [index, entry] of entries.entries())
        await store.createApiKey(
          apiKey(`key_000000000000000${index}`, { account: entry.account, scopes: ['read'] }),
          entry,
        );
      const byTime = (some: AuditEntry[]) =>
        some.toSorted((one, other) => one.atMs - other.atMs || (one.id < other.id ? -1 : 1));
      assert.deepEqual(await trail(null), byTime(entries));
      assert.deepEqual(await trail('b'), byTime(entries.filter(({ account }) => account === 'b')));
      const paged: AuditEntry[] = [];
      for (;;) {
        const [next] = await store.listAudit(null, paged.at(-1) ?? null, 1);
        if (next === undefined) break;
        paged.push(next);
      }
      assert.deepEqual(paged, byTime(entries));
    });

    test('is repeated after a loss: access and deliveries that had ended are ended again, once, and the rest is reported', async () => {
      const keys = [1, 2, 3].map((number) =>
        apiKey(`key_000000000000000${number}`, { expiresAtMs: 9_000_000 }),
      );
      for (const one of keys) await store.createApiKey(one, entryOf('key.created', one.id));
      for (const number of [1, 2, 3])
        await store.createWebhook(webhook(number), 20, entryOf('endpoint.created', idOf(number)));
      const known = entryOf('key.revoked', keys[2]?.id as string);
      await store.revokeApiKey(known.subject as string, 1, known);

      const lost = (action: AuditAction, subject: string | null, detail: AuditDetail | null = null) =>
        auditEntry(someStamp(2_000_000 + made.length), action, 'store-1', subject, detail);
      const acceptedUntil = '1970-01-01T01:00:00.000Z';
      const entries = [
        known,
        lost('key.revoked', keys[0]?.id as string),
        lost('key.rolled', keys[1]?.id as string, { newKeyId: 'key_000000000000000n', acceptedUntil }),
        lost('key.rolled', keys[1]?.id as string, {
          newKeyId: 'key_000000000000000m',
          acceptedUntil: '1970-01-01T02:00:00.000Z',
        }),
        lost('key.created', 'key_000000000000000c'),
        lost('endpoint.deleted', idOf(1)),
        lost('endpoint.disabled', idOf(2), { reason: 'requested' }),
        lost('endpoint.changed', idOf(3), { fields: ['url'] }),
      ];
      let isRaced = false;
      const raced: Store = {
        ...store,
        replaceWebhook: async (replaced, ...more) => {
          if (!isRaced) {
            isRaced = true;
            const label = entryOf('endpoint.changed', replaced.id, { fields: ['label'] });
            await store.replaceWebhook({ ...replaced, disabled: null, label: 'raced' }, 'change', label);
          }
          return store.replaceWebhook(replaced, ...more);
        },
      };
      const repeat = async () => {
        const done: string[] = [];
        const left: string[] = [];
        const options = { store: raced, stamp: () => someStamp(3_000_000) };
        const inDatabase = await repeatChanges(entries, {
          ...options,
          onRepeated: ({ action, subject }) => void done.push(`${action} ${subject}`),
          onLeft: ({ action, subject }, advice) => void left.push(`${action} ${subject}: ${advice}`),
        });
        return { inDatabase, done, left };
      };
      const first = await repeat();
      assert.deepEqual(
        [first.inDatabase, first.done],
        [
          1,
          [
            `key.revoked ${keys[0]?.id}`,
            `key.rolled ${keys[1]?.id}`,
            `endpoint.deleted ${idOf(1)}`,
            `endpoint.disabled ${idOf(2)}`,
          ],
        ],
      );
      const [revoked, rolled] = await Promise.all(keys.map(({ id }) => store.retrieveApiKey(id)));
      assert.deepEqual(
        [revoked?.revokedAtMs, rolled?.expiresAtMs, rolled?.revokedAtMs],
        [3_000_000, 3_600_000, null],
      );
      const endpoints = (await store.listWebhooks('store-1')).map(({ id, disabled }) => [
        id,
        disabled?.reason,
      ]);
      assert.deepEqual(endpoints, [
        [idOf(2), 'requested'],
        [idOf(3), undefined],
      ]);
      for (const [index, text] of [
        /^key\.rolled .* key_000000000000000n is not in this database: .*keys create --account store-1/,
        /^key\.rolled .* key_000000000000000m is not in this database: /,
        /^key\.created key_000000000000000c: .*keys create --account store-1/,
        /^endpoint\.changed .*: change url of the endpoint again/,
      ].entries())
        assert.match(first.left[index] ?? '', text);
      assert.equal(first.left.length, 4);
      const repeated = (await trail()).filter(({ detail }) => detail?.['repeats'] === entries[1]?.id);
      assert.deepEqual(
        repeated.map(({ action, subject }) => [action, subject]),
        [['key.revoked', keys[0]?.id]],
      );
      const { failureCount: _, ...found } = (await store.findWebhook('store-1', idOf(2))) as ListedWebhook;
      assert.equal(found.label, 'raced');
      const enabled = auditEntry(someStamp(4_000_000), 'endpoint.enabled', 'store-1', found.id);
      await store.replaceWebhook({ ...found, disabled: null, version: found.version + 1 }, 'change', enabled);
      assert.deepEqual(await repeat(), { ...first, done: [] });
      assert.equal((await store.findWebhook('store-1', idOf(2)))?.disabled, null);
    });

    test('a lost erasure or archive is left to a person until it is done, and never for an account that is not there', async () => {
      const ofAccount = (atMs: number, action: AuditAction, account: string, before?: string) =>
        auditEntry(someStamp(atMs), action, account, null, before === undefined ? null : { before });
      const entries = [
        ofAccount(2000, 'account.erased', 'gone'),
        ofAccount(2001, 'account.archived', 'gone', '2026-01-01'),
        ofAccount(2002, 'account.archived', 'erased', '2026-01-01'),
        ofAccount(2003, 'account.erased', 'erased'),
        ofAccount(2004, 'account.archived', 'archived', '2026-01-01'),
      ];
      const left = async () => {
        const accounts: string[] = [];
        await repeatChanges(entries, {
          store,
          stamp: () => someStamp(3000),
          onRepeated: () => assert.fail(),
          onLeft: ({ account, action }, advice) => {
            assert.match(
              advice,
              action === 'account.erased' ? /transactions erase/ : /archive --before 2026-01-01/,
            );
            accounts.push(account);
          },
        });
        return accounts;
      };
      let keys = 0;
      const write = (entry: AuditEntry) =>
        store.createApiKey(apiKey(`key_000000000000000${++keys}`, { account: entry.account }), entry);
      for (const account of ['erased', 'archived']) await write(ofAccount(1000, 'account.erased', account));
      assert.deepEqual(await left(), ['erased', 'archived']);
      await write(ofAccount(4000, 'account.archived', 'archived', '2025-12-31'));
      await write(ofAccount(4000, 'account.erased', 'erased'));
      assert.deepEqual(await left(), ['archived']);
      await write(ofAccount(5000, 'account.archived', 'archived', '2026-01-01'));
      assert.deepEqual(await left(), []);
    });
  });
}
