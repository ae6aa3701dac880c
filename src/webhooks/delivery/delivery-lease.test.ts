import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryRig, upTo } from '../../../test/rig/webhooks/deliveries.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import type { SendResult } from '../send.ts';
import { OTHER_RULES_MS } from '../webhook.ts';

const HANGING = new Promise<SendResult>(() => {});

test('without its lease, an instance ends its attempts and begins none', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = () => HANGING;
  const deliveries = await rig.startWith(1);
  assert.equal(deliveries.status.inFlight, 1);
  rig.around = async (name, call) => {
    if (name === 'leaseWebhooks') throw new StoreUnavailable('database_error', 'down');
    return call();
  };
  await rig.pass(6000);
  assert.equal(deliveries.status.inFlight, 0);
  rig.record('shop-1', 5);
  await rig.pass(6000);
  assert.deepEqual(rig.sequences, [1]);
});

test('a lease that ran out before it was renewed ends the attempts', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = () => HANGING;
  await rig.startWith(1);
  const answer = Promise.withResolvers<void>();
  rig.around = async (name, call) => {
    if (name === 'leaseWebhooks') await answer.promise;
    return call();
  };
  await rig.pass(1500);
  // As if the process were suspended: time passes, but no timer fires before the answer is handled.
  rig.elapsedMs += 5000;
  answer.resolve();
  await rig.settle();
  await rig.pass(100, 100);
  assert.deepEqual(rig.sequences, [1, 1]);
});

test('when the instance that delivers stops, another one goes on within 2 s', async (t) => {
  const rig = new DeliveryRig(t);
  rig.create();
  const one = await rig.start('A');
  await rig.start('B');
  await rig.pass(1000);
  rig.running.shift();
  const stopped = one.stop(0);
  await rig.settle();
  await stopped;
  rig.record('shop-1', 3);
  await rig.pass(2000);
  assert.deepEqual(rig.sequences, upTo(3));
});

const FORBIDDING = {
  rules: 'forbidding',
  send: async () => ({ error: 'the URL has a host whose address is not public: private network' }),
};

test('an instance whose settings forbid the receivers never pauses them: it waits, also while the others restart', async (t) => {
  const rig = new DeliveryRig(t);
  rig.create();
  rig.create({ id: 'we_2', account: 'shop-2', ordered: true });
  let one = await rig.start('A');
  const differing = await rig.start('B', FORBIDDING);
  for (const [index, isKilled] of [true, false, true].entries()) {
    for (const account of ['shop-1', 'shop-2']) rig.record(account, 10);
    await rig.pass(3000);
    assert.deepEqual(
      [one, differing].map(({ status }) => status.hasOtherRules),
      [false, true],
    );
    if (isKilled) rig.kill(one);
    else {
      rig.running.splice(rig.running.indexOf(one), 1);
      void one.stop(0);
    }
    for (const account of ['shop-1', 'shop-2']) rig.record(account, 10);
    await rig.pass(OTHER_RULES_MS - 2000);
    one = await rig.start(`A${index}`);
    await rig.pass(2000);
  }
  assert.equal(new Set(rig.received.map(({ id }) => id)).size, 120);
  // `kill` does not end an instance. The instance gets no answers to its calls, and reports errors.
  const events = rig.events.filter((event) => !event.startsWith('error: '));
  assert.deepEqual([events, rig.failures(), rig.failures('we_2')], [[], [], []]);
  assert.equal(differing.status.endpoints, 0);
});
