import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { historyOf } from '../../src/cli/show/show.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import {
  changeWebhook,
  createWebhook as create,
  PREVIOUS_SECRET_MS,
  replayWebhook,
  rotateWebhookSecret,
  type WebhookManagement,
} from '../../src/webhooks/manage-webhooks.ts';
import type { WebhookEndpoint } from '../../src/webhooks/webhook.ts';
import { Unavailable } from '../../values/unavailable.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { someEntry, someStamp } from '../rig/store/audit.ts';
import { storeWith } from '../rig/store/store-with.ts';
import { failure, progress } from '../rig/webhooks/webhooks.ts';

const FIELDS = {
  url: 'https://shop.example/webhooks',
  types: null,
  label: null,
  ordered: false,
  signing: 'v1' as const,
};
const HEAD = 7;

async function management() {
  const clock = { nowMs: 1_000_000 };
  const now = () => clock.nowMs;
  const { store } = await openStore(IN_MEMORY_URL, now);
  await record(
    store,
    Array.from({ length: HEAD }, (_, index) => transaction('shop', `r${index}`)),
  );
  return { clock, store, now, randomBytes, stamp: () => someStamp() } satisfies WebhookManagement & {
    clock: { nowMs: number };
  };
}

const createWebhook = async (...given: Parameters<typeof create>) => (await create(...given)).created;

test('an idempotency key and a URL count for one account; concurrent requests create one endpoint; the differences from the endpoint of the key are named', async () => {
  const managed = await management();
  const first = await create(managed, 'shop', FIELDS, 'setup-1');
  assert.equal(first.sameUrlId, null);
  const foreign = await create(managed, 'other', FIELDS, 'setup-1');
  assert.deepEqual([foreign.sameUrlId, foreign.created.id === first.created.id], [null, false]);
  assert.equal((await create(managed, 'shop', { ...FIELDS, url: `${FIELDS.url}2` })).sameUrlId, null);
  const raced = await Promise.all(
    Array.from({ length: 5 }, () => create(managed, 'shop', FIELDS, 'setup-2')),
  );
  assert.equal(raced.filter(({ isReplayed }) => !isReplayed).length, 1);
  const other = { ...FIELDS, types: ['transaction.completed'], label: 'x' };
  await assert.rejects(create(managed, 'shop', other, 'setup-1'), /has a different types, label\. Change/);
});

test('an endpoint that is created again after a restore does not take progress or a disabling meant for the lost one', async () => {
  const { id, version } = await createWebhook(await management(), 'shop', FIELDS, 'setup-1');
  const managed = await management();
  const { store, clock } = managed;
  clock.nowMs++;
  const again = await createWebhook(managed, 'shop', { ...FIELDS, url: `${FIELDS.url}2` }, 'setup-1');
  assert.equal(again.id, id);
  const reached = progress(HEAD, { after: HEAD, failed: [failure(HEAD)] });
  assert.equal(await store.storeProgress('shop', id, version, reached), false);
  const disabled = { reason: 'gone', atMs: clock.nowMs } as const;
  assert.equal(await store.disableWebhook('shop', id, version, disabled, someEntry()), false);
  assert.deepEqual(await store.findWebhook('shop', id), again);
});

test('a disabled endpoint stores the time and the first reason, and continues at its position when it is enabled', async () => {
  const managed = await management();
  const { id } = await createWebhook(managed, 'shop', FIELDS);
  const disabled = { reason: 'requested', atMs: managed.clock.nowMs };
  assert.deepEqual(
    (await changeWebhook(managed, { account: 'shop', id }, { state: 'disabled' }))?.disabled,
    disabled,
  );
  managed.clock.nowMs += 1000;
  const again = await changeWebhook(managed, { account: 'shop', id }, { state: 'disabled', label: 'x' });
  assert.deepEqual(again?.disabled, disabled);
  const enabled = await changeWebhook(managed, { account: 'shop', id }, { state: 'enabled' });
  assert.deepEqual([enabled?.disabled, enabled?.acknowledgedSequence], [null, HEAD]);
});

test('concurrent changes are all made', async () => {
  const managed = await management();
  const { id, version } = await createWebhook(managed, 'shop', FIELDS);
  const types = ['transaction.completed'];
  const url = 'https://shop.example/other';
  const changes = [{ label: 'till' }, { types }, { url }, { ordered: true }, { state: 'disabled' as const }];
  await Promise.all(changes.map((one) => changeWebhook(managed, { account: 'shop', id }, one)));
  const found = await managed.store.findWebhook('shop', id);
  assert.deepEqual(
    [found?.label, found?.types, found?.url, found?.ordered, found?.disabled?.reason, found?.version],
    ['till', types, url, true, 'requested', version + 5],
  );
});

test('a change that never succeeds ends with Unavailable', async () => {
  const managed = await management();
  const { id } = await createWebhook(managed, 'shop', FIELDS);
  const store = storeWith(managed.store, { replaceWebhook: async () => false });
  await assert.rejects(
    changeWebhook({ ...managed, store }, { account: 'shop', id }, { label: 'x' }),
    Unavailable,
  );
});

test('of the changes before the start of an endpoint, those after the number of a replay are shown as delivered', async () => {
  const { clock, ...rest } = await management();
  const managed = { ...rest, stamp: () => someStamp(++clock.nowMs) };
  clock.nowMs += 1000;
  const { id } = await createWebhook(managed, 'shop', FIELDS);
  const outcomes = async () => {
    const histories = Array.from({ length: HEAD }, (_, index) =>
      historyOf(managed.store, 'shop', transaction('shop', `r${index}`)),
    );
    const shown = (await Promise.all(histories)).flatMap(({ deliveries }) => deliveries);
    return shown.filter(({ outcome }) => outcome !== 'before_endpoint').map(({ sequence }) => sequence);
  };
  assert.deepEqual(await outcomes(), []);
  for (const after of [5, 3, 6]) {
    const { version } = (await managed.store.findWebhook('shop', id)) as WebhookEndpoint;
    await managed.store.storeProgress('shop', id, version, progress(HEAD));
    await replayWebhook(managed, { account: 'shop', id }, after);
  }
  assert.deepEqual(await outcomes(), [4, 5, 6, 7]);
});

test('a rotation returns a new secret, and the previous one signs for 24 more hours, even after concurrent rotations', async () => {
  const managed = await management();
  const { id, secret } = await createWebhook(managed, 'shop', FIELDS);
  const untilMs = managed.clock.nowMs + PREVIOUS_SECRET_MS;
  const rotated = await rotateWebhookSecret(managed, { account: 'shop', id });
  assert.deepEqual(rotated?.previousSecret, { secret, untilMs });
  const more = await Promise.all([1, 2, 3].map(() => rotateWebhookSecret(managed, { account: 'shop', id })));
  const secrets = [rotated, ...more].map((one) => one?.secret);
  assert.equal(new Set([secret, ...secrets]).size, 5);
  const found = await managed.store.findWebhook('shop', id);
  const last = more.find((one) => one?.secret === found?.secret);
  assert.deepEqual(found?.previousSecret, last?.previousSecret);
});
