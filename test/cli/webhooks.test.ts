import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { verifyWebhook } from '../../client/src/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { MAX_WEBHOOKS } from '../../src/webhooks/manage-webhooks.ts';
import { serveHttp } from '../rig/http/loopback.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, run } from '../rig/service/process.ts';
import { someEntry } from '../rig/store/audit.ts';
import { DATABASES, storeProgress } from '../rig/transcript/databases.ts';
import { transcript } from '../rig/transcript/transcript.ts';
import { startReceiver } from '../rig/webhooks/receiver.ts';
import { webhook } from '../rig/webhooks/webhooks.ts';

transcript(import.meta.url, {
  databases: DATABASES,
  given: startStatuses,
  commands: { progress: storeProgress },
});

/** Starts a receiver that answers with the status of its path. */
async function startStatuses(t: TestContext): Promise<Record<string, string>> {
  const url = await serveHttp(t, ({ url = '' }, response) => response.writeHead(Number(url.slice(1))).end());
  return { '<host>': new URL(url).host, '<receiver>': url };
}

test('with v1a, the printed public key verifies a delivery, and rotation adds another', async (t) => {
  const { path: cwd, remove } = temporaryFolder();
  t.after(remove);
  await createDatabase({ cwd });
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const env = { WEBHOOK_NETWORKS: '127.0.0.1', WEBHOOK_HTTP: 'true' };
  const webhooks = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['webhooks', ...args, '--account', 'store-1'], { cwd, env });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const created = await webhooks('create', '--url', receiver.url, '--signing', 'v1a', '--json');
  const { id, publicKey } = JSON.parse(created);
  await webhooks('test', id);
  const next = (await webhooks('rotate-secret', id)).trim();
  await webhooks('test', id);
  const verify = (index: number, key: string) => {
    const { body = '', headers = {} } = receiver.received[index] ?? {};
    return verifyWebhook(body, headers, key).type;
  };
  for (const [index, key] of [
    [0, publicKey],
    [1, publicKey],
    [1, next],
  ] as const)
    assert.equal(verify(index, key), 'webhook.test');
  assert.throws(() => verify(0, next), /No signature matches/);
});

test('an account that has the most endpoints gets no other, with a hint to delete one', async (t) => {
  const { path: cwd, remove } = temporaryFolder();
  t.after(remove);
  await createDatabase({ cwd });
  const { store } = await openStore(`sqlite:${cwd}/data/transactions.db`, Date.now);
  for (let index = 0; index < MAX_WEBHOOKS; index++)
    await store.createWebhook(webhook(index, { account: 'store-1' }), MAX_WEBHOOKS, {
      ...someEntry(),
      id: `au_${String(index).padStart(16, '0')}`,
    });
  await store.close();
  const args = ['webhooks', 'create', '--account', 'store-1', '--url', 'https://shop.example/changes'];
  const { status, stdout, stderr } = await run(args, { cwd });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^The account store-1 has 20 endpoints already\. Delete one that is not used\.$/m);
});
