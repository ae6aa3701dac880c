import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DeliveryRig } from '../../../test/rig/webhooks/deliveries.ts';
import type { DeliverableEndpoint } from '../webhook.ts';

const ENDPOINTS = 3200;
const MOST_READ = 1000;
const SETTLE_MS = 90_000;
const IDLE_MS = 600_000;

async function deliverToMany(t: TestContext) {
  const rig = new DeliveryRig(t);
  const accounts = Array.from({ length: ENDPOINTS }, (_, index) => `shop-${index}`);
  for (const account of accounts) rig.create({ id: `we_${account}`, account });
  const lists: string[][] = [];
  const heads: string[][] = [];
  rig.around = async (name, call) => {
    const result = call();
    if (name === 'listDeliverable')
      lists.push((result as DeliverableEndpoint[]).map(({ account }) => account));
    if (name === 'readHeads') heads.push([...(result as ReadonlyMap<string, number>).keys()]);
    return result;
  };
  for (const account of accounts) rig.record(account, 1);
  const deliveries = await rig.start();
  await rig.pass(SETTLE_MS, 500);
  assert.equal(rig.received.length, ENDPOINTS);
  assert.ok(Math.max(...lists.map((list) => list.length)) <= MOST_READ);
  rig.received.length = 0;
  lists.length = 0;
  heads.length = 0;
  /** Does the work without notifying this instance, as if another process had done it. */
  const elsewhere = (work: () => void) => {
    const running = rig.running.splice(0);
    work();
    rig.running.push(...running);
  };
  return { rig, deliveries, lists, heads, elsewhere };
}

function recordUnmarked(t: TestContext, rig: DeliveryRig, account: string): void {
  const running = rig.running.splice(0);
  const { mock } = t.mock.method(rig.webhooks, 'move', () => {});
  rig.record(account, 1);
  mock.restore();
  rig.running.push(...running);
}

test('of many endpoints, only those whose accounts moved are read', async (t) => {
  const { rig, lists, heads, elsewhere } = await deliverToMany(t);
  await rig.pass(IDLE_MS, 1000);
  assert.deepEqual([lists, heads], [[], []]);

  elsewhere(() => rig.record('shop-7', 2));
  await rig.pass(1000, 100);
  assert.deepEqual(rig.sequences, [2, 3]);
  assert.deepEqual([lists, heads], [[['shop-7']], [['shop-7']]]);

  elsewhere(() =>
    rig.webhooks.replaceWebhook({ ...rig.endpoint('we_shop-8'), url: 'new', version: 2 }, 'change'),
  );
  await rig.pass(1000, 100);
  rig.record('shop-8', 1);
  await rig.settle();
  assert.deepEqual(rig.received.at(-1)?.url, 'new');
});

test('after a failed poll, and in a database that was set back, everything is read', async (t) => {
  const { rig, deliveries, lists, elsewhere } = await deliverToMany(t);
  const { around } = rig;
  const begins = [
    () => rig.webhooks.forgetMarks(),
    () => {
      rig.around = async (name, call) => {
        if (name !== 'listMovedAccounts') return around(name, call);
        rig.around = around;
        throw new Error('away');
      };
    },
  ];
  for (const [index, begin] of begins.entries()) {
    lists.length = 0;
    begin();
    elsewhere(() => rig.webhooks.rows.delete(`we_shop-${index}`));
    await rig.pass(5000, 100);
    const left = ENDPOINTS - index - 1;
    assert.equal(new Set(lists.flat()).size, left);
    assert.equal(deliveries.status.endpoints, left);
  }
});

test('the endpoints of an account that is changed here are read before others', async (t) => {
  const { rig, deliveries, lists } = await deliverToMany(t);
  rig.webhooks.forgetMarks();
  while (lists.length === 0) await rig.pass(10, 10);
  lists.length = 0;
  deliveries.noteManaged('shop-7');
  while (lists.length === 0) await rig.pass(10, 10);
  assert.deepEqual(lists[0], ['shop-7']);
});

test('a recording that began before its account was watched is delivered soon', async (t) => {
  const rig = new DeliveryRig(t);
  rig.create();
  await rig.start();
  for (const atMs of [2000, 60_000]) {
    await rig.pass(atMs - rig.elapsedMs);
    rig.received.length = 0;
    recordUnmarked(t, rig, 'shop-1');
    await rig.pass(2000);
    assert.equal(rig.received.length, 1, `at ${atMs}`);
  }
});
