import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { WebhookEndpoint } from '../../src/webhooks/webhook.ts';
import { transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someEntry } from '../rig/store/audit.ts';
import { webhook } from '../rig/webhooks/webhooks.ts';
import { apiKey } from './api-keys-contract.ts';

async function lockedStore(t: TestContext) {
  const folder = temporaryFolder();
  const path = `${folder.path}/t.db`;
  const { store } = await openStore(`sqlite:${path}`, () => 0);
  const other = new DatabaseSync(path);
  t.after(async () => {
    await store.close();
    other.close();
    folder.remove();
  });
  const endpoints = ['loops', 'calm'].map((account, index) =>
    webhook(index + 1, { account, id: `we_${account.replace('-', '').padEnd(16, '0')}` }),
  );
  for (const endpoint of endpoints) assert.ok(await store.createWebhook(endpoint, 20, someEntry()));
  const lock = () => {
    other.exec('BEGIN IMMEDIATE');
    return () => other.exec('COMMIT');
  };
  return { store, lock, endpoints: endpoints as [WebhookEndpoint, WebhookEndpoint] };
}

class Ends {
  readonly names: string[] = [];

  add(name: string, write: Promise<unknown>): void {
    void write.then(() => this.names.push(name));
  }

  before(name: string): string[] {
    return this.names.slice(0, this.names.indexOf(name));
  }
}

const KINDS: Record<string, (store: Store, endpoint: WebhookEndpoint) => Promise<unknown>> = {
  'changes of an endpoint': (store, endpoint) => store.replaceWebhook(endpoint, 'change', someEntry()),
  replays: (store, endpoint) => store.replaceWebhook(endpoint, 'replay', someEntry()),
  'retries of failures': (store, { account, id }) => store.retryWebhookFailure(account, id, 1, 0),
  'removals of endpoints': (store, { account }) => store.deleteWebhook(account, 'we_absent', someEntry()),
};

for (const [kind, write] of Object.entries(KINDS)) {
  test(`100 ${kind} of one account delay neither recordings nor another account`, async (t) => {
    const { store, lock, endpoints } = await lockedStore(t);
    const [loops, calm] = endpoints;
    const ends = new Ends();
    const release = lock();
    for (let count = 0; count < 100; count++) ends.add('loops', write(store, loops));
    const last = [
      store.record([transaction('store-1', 'a')]),
      store.record([transaction('store-1', 'b')]),
      store.replaceWebhook({ ...calm, version: calm.version + 1, label: 'changed' }, 'change', someEntry()),
    ] as const;
    for (const [index, promise] of last.entries())
      ends.add(['first', 'second', 'calm'][index] as string, promise);
    release();
    const [[first], [second], isChanged] = await Promise.all(last);
    assert.deepEqual([first?.outcome, second?.outcome, isChanged], ['recorded', 'recorded', true]);
    assert.ok(
      ends.before('first').length <= 1 + 17,
      `${ends.before('first').length} before the first recording`,
    );
    assert.ok(
      ends.before('second').length <= 1 + 2 * 17,
      `${ends.before('second').length} before the second one`,
    );
    const beforeCalm = ends.before('calm').filter((name) => name === 'loops').length;
    assert.ok(beforeCalm <= 1 + 17, `${beforeCalm} before the other account`);
  });
}

test('writes of keys are executed before all other waiting writes', async (t) => {
  const { store, lock, endpoints } = await lockedStore(t);
  const ends = new Ends();
  const release = lock();
  for (let count = 0; count < 100; count++)
    ends.add('loops', store.replaceWebhook(endpoints[0], 'change', someEntry()));
  ends.add('recording', store.record([transaction('store-1', 'a')]));
  const keys = Promise.all([
    store.createApiKey(apiKey('key_0000000000000001'), someEntry()),
    store.revokeApiKey('key_absent', 0, someEntry()),
    store.touchApiKeys([{ account: 'calm', id: 'key_absent', usedAtMs: 1 }]),
  ]);
  ends.add('key', keys);
  release();
  await keys;
  assert.ok(ends.before('key').length <= 17, `${ends.before('key').length} before the key`);
});

test('a refused write does not affect the writes that share its commit', async (t) => {
  const { store, lock, endpoints } = await lockedStore(t);
  const [, calm] = endpoints;
  const stored = apiKey('key_0000000000000001');
  await store.createApiKey(stored, someEntry());
  const release = lock();
  const results = Promise.allSettled([
    store.record([transaction('store-1', 'a')]),
    store.createApiKey(stored, someEntry()),
    store.replaceWebhook({ ...calm, version: calm.version + 1, label: 'changed' }, 'change', someEntry()),
    store.record([transaction('store-1', 'b')]),
  ]);
  release();
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
  assert.equal((await store.findWebhook('calm', calm.id))?.label, 'changed');
  assert.ok(await store.retrieveTransaction('store-1', 'store-1.a'));
  assert.ok(await store.retrieveTransaction('store-1', 'store-1.b'));
});
