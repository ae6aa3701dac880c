import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../client/src/index.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, type Served, type ServeOptions } from '../rig/service/process.ts';
import { type Received, startReceiver } from '../rig/webhooks/receiver.ts';
import {
  createEndpoint,
  createOperatorKey,
  createWebhookKey,
  metricOf,
  readEndpoint,
  recordChanges,
  startWebhookService,
} from '../rig/webhooks/webhook-service.ts';

const ACCOUNT = 'store-1';
const namesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

function sequencesOf(received: readonly Received[], secret: string): number[] {
  return received.map(({ body, headers }) => {
    const { data } = verifyWebhook(body, headers, secret);
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return data?.sequence ?? 0;
  });
}

async function prepare(t: TestContext, options: Partial<ServeOptions> = {}, respond?: RequestListener) {
  const { path: cwd } = temporaryFolder(t);
  const operatorKey = await createOperatorKey({ cwd });
  const served = await startWebhookService({ cwd, ...options }, t);
  const receiver = await startReceiver(respond);
  t.after(() => receiver.close());
  const key = await createWebhookKey(served, operatorKey, ACCOUNT);
  const record = (by: Served, prefix: string, count: number) =>
    recordChanges(by, operatorKey, [ACCOUNT], namesOf(prefix, count));
  return { cwd, served, receiver, key, record };
}

test('webhooks are delivered from the first process with --workers', async (t) => {
  const { served, receiver, key, record } = await prepare(t, { args: ['--workers', '2'] });
  const { id, secret } = await createEndpoint(served, key, receiver.url);
  await record(served, 'a', 30);
  await until(async () => (await readEndpoint(served, key, id)).acknowledgedSequence === 30);
  const sequences = sequencesOf(receiver.received, secret);
  assert.deepEqual(
    sequences.toSorted((one, other) => one - other),
    upTo(30),
  );
  assert.equal(await metricOf(served, 'transactions_webhook_endpoints'), 1);
  assert.equal(await metricOf(served, 'transactions_webhook_delivering'), 1);
  assert.equal(await metricOf(served, 'transactions_webhook_attempts_total'), 30);
  assert.equal(await metricOf(served, 'transactions_webhook_attempt_duration_seconds_count'), 30);
});

test('webhooks are delivered only while WEBHOOKS is on; endpoints can be managed in any case', async (t) => {
  const prepared = await prepare(t, { env: { WEBHOOKS: 'off' } });
  const { cwd, served: off, receiver, key } = prepared;
  const { id, secret } = await createEndpoint(off, key, receiver.url);
  await prepared.record(off, 'a', 5);
  assert.equal(await metricOf(off, 'transactions_webhook_delivering'), 0);
  assert.equal((await off.stop()).status, 0);
  assert.match(off.logged(), /"msg":"deliveries of webhooks are off"/);
  assert.equal(receiver.connections.count, 0);

  const on = await startWebhookService({ cwd }, t);
  await until(async () => (await readEndpoint(on, key, id)).acknowledgedSequence === 5);
  assert.deepEqual(sequencesOf(receiver.received, secret).toSorted(), upTo(5));
});

test('a successful test delivery resumes a paused endpoint at once', async (t) => {
  let isUp = false;
  const { served, receiver, key, record } = await prepare(t, {}, (_request, response) => {
    response.writeHead(isUp ? 200 : 503, { 'retry-after': '3600' }).end();
  });
  const { id } = await createEndpoint(served, key, receiver.url, { ordered: true });
  await record(served, 'a', 20);
  await until(async () => (await metricOf(served, 'transactions_webhook_endpoints_paused')) === 1);
  assert.ok((await metricOf(served, 'transactions_webhook_changes_paused')) > 0);
  assert.equal(await metricOf(served, 'transactions_webhook_lag_changes'), 0);
  const lines = () => jsonLines(served.logged()) as { msg: string; account: string; webhookId: string }[];
  await until(() => lines().some(({ msg }) => msg === 'a webhook is paused: its receiver fails'));
  const failed = lines().find(({ msg }) => msg.startsWith('a webhook failed'));
  assert.deepEqual([failed?.account, failed?.webhookId], [ACCOUNT, id]);
  isUp = true;
  const response = await call(`${served.url}/v1/webhooks/${id}/test`, key, { method: 'POST' });
  assert.equal(((await response.json()) as { delivered: boolean }).delivered, true);
  await until(async () => (await readEndpoint(served, key, id)).acknowledgedSequence === 20);
  await until(async () => (await readEndpoint(served, key, id)).failureCount === 0);
});
