import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import { record, transaction } from '../../test/rig/data/transactions.ts';
import { temporaryFolder } from '../../test/rig/run/temporary-folder.ts';
import { someEntry } from '../../test/rig/store/audit.ts';
import { webhook } from '../../test/rig/webhooks/webhooks.ts';
import { apiKey } from '../../test/store/api-keys-contract.ts';
import { waitingSession } from '../../test/store/sessions-contract.ts';
import { KeyCache } from '../keys/key-cache.ts';
import { type Change, changeId } from '../ledger/changes/change.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { lostDeliveries } from './lost-deliveries.ts';
import { LostEnds } from './lost-ends.ts';

const SESSION = 'ses_0000000000000001';
const [REVOKED, ROLLED, BY_OTHER, KEPT] = [1, 2, 3, 4].map((number) => `key_000000000000000${number}`) as [
  string,
  string,
  string,
  string,
];

test('an end, a removal or a delivery that a promoted standby lacks is logged once, and ended keys stay refused', async (t) => {
  const { path } = temporaryFolder(t);
  const [primary, standby] = ['primary', 'standby'].map((name) => `${path}/${name}.db`) as [string, string];
  const open = async (file: string) => {
    const { store } = await openStore(`sqlite:${file}`, Date.now);
    t.after(() => store.close());
    return store;
  };
  const first = await openStore(`sqlite:${primary}`, Date.now);
  for (const id of [REVOKED, ROLLED, BY_OTHER, KEPT]) await first.store.createApiKey(apiKey(id), someEntry());
  await first.store.createApiKey(waitingSession(SESSION), someEntry());
  const paid = transaction('store-1', 'r1', { details: '{"customer":"Ada"}' });
  await record(first.store, [paid]);
  for (const number of [0, 1]) await first.store.createWebhook(webhook(number), 20, someEntry());
  await first.store.close();
  copyFileSync(primary, standby);

  let current: Store = await open(primary);
  const logged: string[] = [];
  let counted = 0;
  const store = new Proxy({} as Store, { get: (_, name) => current[name as keyof Store] });
  const ends = new LostEnds({
    store,
    logger: {
      error: ({ action, account, subject }: Record<string, string>) =>
        void logged.push(`${action} ${account} ${subject}`),
      flush: () => {},
    } as never,
    metrics: { countLostEnds: () => void counted++ },
  });
  const cache = new KeyCache(store, () => performance.now());
  ends.addCache(cache);
  const reporting = ends.noting(current);
  await current.revokeApiKey(BY_OTHER, 5000, someEntry());
  await cache.refresh();
  await reporting.revokeApiKey(REVOKED, 5000, someEntry());
  const roll = { account: 'store-1', id: ROLLED, created: null, untilMs: 6000, nowMs: 5000 };
  await reporting.rollApiKey(roll, someEntry());
  const person = { account: 'store-1', person: 'ada', id: null, nowMs: 5000 };
  await reporting.endSessions(person, someEntry());
  const entry = (action: 'details.removed' | 'endpoint.deleted' | 'endpoint.rotated', subject: string) => ({
    ...someEntry(),
    atMs: Date.now() + 60_000,
    action,
    account: 'store-1',
    subject,
  });
  await reporting.removeDetails('store-1', paid.reference, entry('details.removed', paid.reference));
  const [rotated, deleted] = [webhook(0), webhook(1)];
  await reporting.deleteWebhook('store-1', deleted.id, entry('endpoint.deleted', deleted.id));
  const changed = { ...rotated, version: rotated.version + 1 };
  assert.ok(await reporting.replaceWebhook(changed, 'change', entry('endpoint.rotated', rotated.id)));

  const ahead: unknown[] = [];
  const delivered = lostDeliveries({
    store,
    logger: { error: (fields: object) => void ahead.push(fields), flush: () => {} } as never,
    metrics: { countAhead: () => {} },
  });
  await record(current, [transaction('store-1', 'r2')]);
  const [both, lost] = (await current.listChanges({ account: 'store-1', after: 0, limit: 2 })).changes as [
    Change,
    Change,
  ];
  delivered.note({ account: 'store-1', id: 'we_behind' }, both);
  for (const change of [both, lost]) delivered.note({ account: 'store-1', id: 'we_ahead' }, change);

  const check = async () => {
    for (const one of [ends, delivered]) await one.check(new AbortController().signal);
  };
  await check();
  assert.deepEqual([...logged, ...ahead], []);
  current = await open(standby);
  for (let times = 0; times < 2; times++) await check();
  assert.deepEqual(logged.toSorted(), [
    `details.removed store-1 ${paid.reference}`,
    `endpoint.deleted store-1 ${deleted.id}`,
    `endpoint.rotated store-1 ${rotated.id}`,
    `key.revoked store-1 ${REVOKED}`,
    `key.revoked store-1 ${BY_OTHER}`,
    `key.rolled store-1 ${ROLLED}`,
    `session.ended store-1 ${SESSION}`,
  ]);
  assert.equal(counted, 7);
  assert.deepEqual(ahead, [
    { account: 'store-1', webhookId: 'we_ahead', sequence: 2, changeId: changeId('store-1', lost) },
  ]);
  const find = async (hash: string) => cache.find(hash);
  const standing = async (id: string) => {
    const found = await find((await current.retrieveApiKey(id))?.hash ?? '');
    return [found?.revokedAtMs, found?.expiresAtMs];
  };
  for (let times = 0; times < 2; times++) {
    await cache.refresh();
    assert.deepEqual(await standing(REVOKED), [5000, null]);
    assert.deepEqual(await standing(BY_OTHER), [5000, null]);
    assert.deepEqual(await standing(ROLLED), [null, 6000]);
    assert.deepEqual(await standing(SESSION), [5000, 100_000]);
    assert.deepEqual(await standing(KEPT), [null, null]);
  }
});
