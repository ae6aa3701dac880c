import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DeliveryRig } from '../../../test/rig/webhooks/deliveries.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';

const nodeOf = (account: string) => (account.startsWith('frozen') ? 'frozen' : 'healthy');

function rigOfCluster(t: TestContext, frozen: number): DeliveryRig {
  const rig = new DeliveryRig(t);
  rig.cluster = { nodes: ['frozen', 'healthy'], nodeOf };
  for (let index = 0; index < frozen; index++)
    rig.create({ id: `we_${index}`, account: `frozen-${index}`, url: 'frozen' });
  rig.create({ id: 'we_shop', account: 'shop', url: 'shop' });
  return rig;
}

const sequencesOf = (rig: DeliveryRig, name: string) =>
  rig.received.filter(({ url }) => url === name).map(({ sequence }) => sequence);

test('100 endpoints of a node that does not answer do not delay those of another', async (t) => {
  const rig = rigOfCluster(t, 100);
  await rig.start();
  await rig.pass(5000);
  rig.frozen = 'frozen';
  for (let index = 0; index < 100; index++) rig.record(`frozen-${index}`, 1);
  rig.record('shop', 3);
  await rig.pass(2000);
  assert.deepEqual(sequencesOf(rig, 'shop'), [1, 2, 3]);
});

test('while a node does not answer, an endpoint of another that is disabled or created is noticed', async (t) => {
  const rig = rigOfCluster(t, 1);
  const deliveries = await rig.start();
  rig.frozen = 'frozen';
  const { version } = rig.endpoint('we_shop');
  const disabled = { reason: 'requested', atMs: 1 } as const;
  rig.webhooks.replaceWebhook({ ...rig.endpoint('we_shop'), version: version + 1, disabled }, 'change');
  rig.create({ id: 'we_new', account: 'new', url: 'new' });
  await rig.pass(10_000);
  rig.record('shop', 1);
  rig.record('new', 2);
  await rig.pass(2000);
  assert.deepEqual([sequencesOf(rig, 'shop'), sequencesOf(rig, 'new')], [[], [1, 2]]);
  assert.equal(deliveries.status.endpoints, 2);
  rig.frozen = null;
  rig.record('frozen-0', 1);
  await rig.pass(5000);
  assert.deepEqual(sequencesOf(rig, 'frozen'), [1]);
});

test('deliveries of other nodes go on after the lease lapsed, and begin in a new instance', async (t) => {
  const rig = rigOfCluster(t, 1);
  await rig.start();
  rig.frozen = 'frozen';
  let isLeasing = false;
  rig.around = async (name, call) => {
    if (name === 'leaseWebhooks' && !isLeasing) throw new StoreUnavailable('database_error', 'down');
    return call();
  };
  await rig.pass(10_000);
  isLeasing = true;
  await rig.pass(10_000);
  rig.record('shop', 2);
  await rig.pass(2000);
  assert.deepEqual(sequencesOf(rig, 'shop'), [1, 2]);

  rig.kill(rig.running[0] as (typeof rig.running)[0]);
  await rig.start('B');
  await rig.pass(20_000);
  rig.record('shop', 1);
  await rig.pass(2000);
  assert.equal(sequencesOf(rig, 'shop').at(-1), 3);
  rig.frozen = null;
  rig.record('frozen-0', 1);
  await rig.pass(10_000);
  assert.deepEqual(sequencesOf(rig, 'frozen'), [1]);
});
