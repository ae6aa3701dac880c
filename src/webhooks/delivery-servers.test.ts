import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryRig } from '../../test/rig/deliveries.ts';

/** The accounts of a cluster of two workers, and as many endpoints on one of them as wait for its reads. */
const serverOf = (account: string) => (account.startsWith('frozen') ? 'frozen' : 'healthy');
const FROZEN = 100;

test('100 endpoints of a server that does not answer do not delay those of another', async (t) => {
  const rig = new DeliveryRig(t);
  rig.cluster = { servers: ['frozen', 'healthy'], serverOf };
  for (let index = 0; index < FROZEN; index++) {
    rig.create({ id: `we_${index}`, account: `frozen-${index}` });
    rig.record(`frozen-${index}`, 1);
  }
  rig.create({ id: 'we_shop', account: 'shop' });
  await rig.start();
  await rig.pass(5000);
  rig.received.length = 0;
  rig.frozen = 'frozen';
  for (let index = 0; index < FROZEN; index++) rig.record(`frozen-${index}`, 1);
  rig.record('shop', 3);
  await rig.pass(2000);
  assert.deepEqual(rig.sequences, [1, 2, 3]);
});
