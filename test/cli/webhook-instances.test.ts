import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import type { Served } from '../rig/service/process.ts';
import { type Received, startReceiver } from '../rig/webhooks/receiver.ts';
import {
  createEndpoint,
  createOperatorKey,
  createWebhookKey,
  metricOf,
  recordChanges,
  startWebhookService,
  until,
} from '../rig/webhooks/webhook-service.ts';

const ACCOUNTS = Array.from({ length: 30 }, (_, index) => `store-${index}`);
const ROUNDS = 10;
const references = (prefix: string) => Array.from({ length: ROUNDS }, (_, index) => `${prefix}${index}`);

/** How often each change was delivered. */
function counts(received: readonly Received[]): Map<string, number> {
  const byId = Map.groupBy(received, ({ headers }) => String(headers['webhook-id']));
  return new Map([...byId].map(([id, deliveries]) => [id, deliveries.length]));
}

test('of three instances one delivers each change once, and another one continues when it is killed', {
  timeout: GIVE_UP_MS,
}, async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const options = { cwd, args: ['--workers', '1'], env: { DATABASE_URL: await makeMigratedDatabase() } };
  const operatorKey = await createOperatorKey(options);
  const instances: Served[] = [];
  t.after(() => Promise.all(instances.map((instance) => instance.stop())));
  for (let count = 0; count < 3; count++) instances.push(await startWebhookService(options));
  const [first] = instances as [Served];
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  for (const account of ACCOUNTS)
    await createEndpoint(first, await createWebhookKey(first, operatorKey, account), receiver.url);

  const endpointsOf = (instance: Served) => metricOf(instance, 'transactions_webhook_endpoints');
  const sharesOf = (all: readonly Served[]) => Promise.all(all.map(endpointsOf));
  const isAlone = (shares: readonly number[]) =>
    shares.filter((share) => share > 0).length === 1 && shares.includes(ACCOUNTS.length);
  await until(async () => isAlone(await sharesOf(instances)));
  const shares = await sharesOf(instances);
  const delivering = instances[shares.indexOf(ACCOUNTS.length)] as Served;
  const others = instances.filter((instance) => instance !== delivering);
  const [recording] = others as [Served];

  // Recorded through another instance than the one that delivers.
  await recordChanges(recording, operatorKey, ACCOUNTS, references('a'));
  await until(() => counts(receiver.received).size === ACCOUNTS.length * ROUNDS);
  assert.ok([...counts(receiver.received).values()].every((count) => count === 1));
  assert.ok((await metricOf(delivering, 'transactions_webhook_attempts_total')) > 0);

  // Its last progress may not be stored: its changes can come again, and others must not be lost.
  receiver.received.length = 0;
  const startedAtMs = performance.now();
  await delivering.stop('SIGKILL');
  await recordChanges(recording, operatorKey, ACCOUNTS, references('b'));
  const bodies = () =>
    new Set(receiver.received.map(({ body }) => JSON.parse(body).data.transaction.reference as string));
  const expected = new Set(ACCOUNTS.flatMap((account) => references(`${account}.b`)));
  await until(() => expected.isSubsetOf(bodies()));
  t.diagnostic(`continued ${Math.round(performance.now() - startedAtMs)} ms after the kill`);
  await until(async () => isAlone(await sharesOf(others)));
});
