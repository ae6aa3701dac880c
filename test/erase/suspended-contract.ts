import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { OPERATIONS } from '../../src/service/operations.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { erase } from '../rig/store/erase.ts';
import { storeWith } from '../rig/store/store-with.ts';
import type { VerifiedStore } from '../verify/healthy-database.ts';

const ACCOUNT = 'store-1';
const SUSPENDED_MS = 60_000;
const OF_KEYS: readonly string[] = ['findApiKey', 'listKeyEnds', 'touchApiKeys'];

const PATHS = OPERATIONS.flatMap(({ method, public: offer }) =>
  method !== 'GET' || offer === undefined || offer.access === 'no key' || /export|\.\w+$/.test(offer.path)
    ? []
    : [offer.path.replace(':reference', 'same').replace(':id', 'we_0123456789abcdef')],
).map((path) => (path === '/v1/search' ? `${path}?text=order` : path));

async function suspendedBefore(
  t: TestContext,
  url: string,
  { isBefore, readsEnds }: { isBefore: (call: string) => boolean; readsEnds: boolean },
) {
  const opened = await openStore(url, Date.now);
  const store = opened.store as VerifiedStore;
  t.after(() => store.close());
  await record(store, [transaction(ACCOUNT, 'same')]);
  let isServing = false;
  let isSuspended = false;
  const suspend = async () => {
    isSuspended = true;
    await erase(url, ACCOUNT, { store });
    await record(store, [transaction(ACCOUNT, 'same', { merchantReference: 'of another account' })]);
    app.clock.advance(SUSPENDED_MS);
    if (readsEnds) await app.keyCache.refresh();
  };
  const calls = Object.entries(store)
    .filter(([name, call]) => typeof call === 'function' && isBefore(name))
    .map(([name, call]) => [
      name,
      async (...values: unknown[]) => {
        if (isServing && !isSuspended) await suspend();
        return call.apply(store, values);
      },
    ]);
  const app = await buildTestApp({ store: storeWith(store, Object.fromEntries(calls) as Partial<Store>) });
  const key = await app.makeKey(ACCOUNT, { scopes: ['read', 'webhooks'] });
  await app.keyCache.refresh();
  isServing = true;
  return { app, key, store, wasSuspended: () => isSuspended };
}

export function suspendedContract(name: string, makeUrl: () => Promise<string>): void {
  describe(`a process that is suspended while an account is erased and its name is used again, on ${name}`, () => {
    for (const readsEnds of [false, true])
      test(`shows nothing of the new account${readsEnds ? ', even if it first reads the ends of keys' : ''}`, async (t) => {
        for (const path of PATHS) {
          const isBefore = (call: string) => !OF_KEYS.includes(call) && !/Key/.test(call);
          const { app, key, wasSuspended } = await suspendedBefore(t, await makeUrl(), {
            isBefore,
            readsEnds,
          });
          const { status, text } = await app.send(path, { key });
          assert.ok(wasSuspended() || path === '/v1/key', `${path} reads nothing`);
          if (wasSuspended()) assert.equal(status, 401, `${path}: ${text}`);
        }
      });

    test('stores no endpoint for the erased account', async (t) => {
      for (const before of ['readHeads', 'createWebhook']) {
        const isBefore = (call: string) => call === before;
        const { app, key, store } = await suspendedBefore(t, await makeUrl(), { isBefore, readsEnds: true });
        const body = { url: 'https://example.com/hook' };
        const { status, text } = await app.send('/v1/webhooks', { method: 'POST', key, body });
        assert.equal(status, 401, text);
        assert.deepEqual(await store.listWebhooks(ACCOUNT), []);
      }
    });
  });
}
