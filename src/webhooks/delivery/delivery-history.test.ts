import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryRig, upTo } from '../../../test/rig/webhooks/deliveries.ts';

async function delivered(rig: DeliveryRig) {
  await rig.startWith(40);
  await rig.pass(3000);
  assert.equal(rig.endpoint().acknowledgedSequence, 40);
  const backup = { endpoint: { ...rig.endpoint() }, failures: new Map() };
  return (): void => {
    rig.changes.get('shop-1')?.splice(40);
    rig.webhooks.rows.set('we_1', { endpoint: { ...backup.endpoint }, failures: new Map() });
  };
}

/** Counts messages with the same id once, as a receiver does. */
function assertAllDelivered(rig: DeliveryRig): void {
  const idOf = new Map(rig.received.map(({ id, attempt }) => [id, JSON.parse(attempt.body).data]));
  const found = [...idOf.values()];
  for (const { sequence, nonce: _, transaction } of rig.changes.get('shop-1') ?? []) {
    const last = found.findLast((data) => data.sequence === sequence);
    assert.equal(last?.transaction.status, transaction.status, `change ${sequence}`);
  }
  assert.equal(rig.endpoint().acknowledgedSequence, rig.changes.get('shop-1')?.length);
}

test('a restored database is noticed, even if new changes pass the delivered position before progress is stored', async (t) => {
  const rig = new DeliveryRig(t);
  const restore = await delivered(rig);
  rig.record('shop-1', 10);
  await rig.pass(500);
  assert.deepEqual(rig.sequences, upTo(50));
  assert.equal(rig.endpoint().acknowledgedSequence, 40);
  restore();
  rig.record('shop-1', 30, 'pending');
  await rig.pass(10_000);
  assertAllDelivered(rig);
  assert.ok(
    rig.events.some((event) => /^we_1 moved back from \d+ to 40$/.test(event)),
    rig.events.join(),
  );
});

test('progress of changes that the database has lost is never stored', async (t) => {
  const rig = new DeliveryRig(t);
  const restore = await delivered(rig);
  rig.record('shop-1', 10);
  await rig.pass(500);
  // `listChanges` fails, so that the loss is first noticed when progress is stored.
  rig.around = async (name, call) => {
    if (name === 'listChanges') throw new Error('no answer');
    return call();
  };
  restore();
  rig.record('shop-1', 30, 'pending');
  await rig.pass(5000);
  assert.equal(rig.endpoint().acknowledgedSequence, 40);
  rig.around = async (_name, call) => call();
  await rig.pass(10_000);
  assertAllDelivered(rig);
});
