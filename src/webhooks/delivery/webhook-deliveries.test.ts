import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryRig, DOWN, OK, upTo } from '../../../test/rig/webhooks/deliveries.ts';
import type { SendResult } from '../send.ts';

test('each change is delivered once, and acknowledged in one write for many', async (t) => {
  const rig = new DeliveryRig(t);
  await rig.startWith(300);
  assert.deepEqual(rig.sequences, upTo(300));
  await rig.pass(2000);
  assert.equal(rig.endpoint().acknowledgedSequence, 300);
  assert.equal(rig.webhooks.writes, 1);
  rig.record('shop-1', 3);
  await rig.settle();
  assert.deepEqual(rig.sequences, upTo(303));
});

test('a window of attempts is in flight, and one for an ordered endpoint', async (t) => {
  const rig = new DeliveryRig(t);
  const held: PromiseWithResolvers<SendResult>[] = [];
  rig.receiver = () => {
    const { promise, ...rest } = Promise.withResolvers<SendResult>();
    held.push({ promise, ...rest });
    return promise;
  };
  rig.create();
  rig.create({ id: 'we_2', account: 'shop-2', ordered: true });
  rig.record('shop-1', 20);
  rig.record('shop-2', 20);
  const deliveries = await rig.start();
  assert.equal(deliveries.status.inFlight, 9);
  assert.deepEqual(rig.sequences.toSorted(), [1, 1, 2, 3, 4, 5, 6, 7, 8]);
  while (held.length > 0) {
    for (const one of held.splice(0)) one.resolve(OK);
    await rig.settle();
  }
  assert.equal(rig.received.length, 40);
});

test('a change that fails is kept apart, reported once and retried by the schedule, and later ones go on', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = ({ sequence }) => (sequence === 3 ? { status: 500, retryAfterMs: null } : OK);
  await rig.startWith(10);
  await rig.pass(2000);
  assert.deepEqual(rig.sequences, upTo(10));
  assert.equal(rig.endpoint().acknowledgedSequence, 10);
  assert.deepEqual(rig.failures(), [3]);
  await rig.pass(40 * 60_000);
  const attempts = rig.received.filter(({ sequence }) => sequence === 3);
  assert.deepEqual(
    attempts.map(({ atMs }) => Math.floor(atMs / 1000)),
    [0, 5, 305, 2105],
  );
  assert.equal(new Set(attempts.map(({ id }) => id)).size, 1);
  assert.deepEqual(rig.newFailures, ['we_1 3: the receiver answered 500']);
  rig.receiver = () => OK;
  await rig.pass(2.1 * 3_600_000, 1400);
  assert.deepEqual(rig.failures(), []);
});

test('a receiver that is down makes failures for one window, and gets everything when it is up', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = () => DOWN;
  await rig.startWith(5000);
  await rig.pass(20 * 60_000, 1400);
  assert.deepEqual(rig.failures(), upTo(8));
  assert.equal(rig.endpoint().acknowledgedSequence, 8);
  assert.ok(rig.received.length < 60, `${rig.received.length} attempts`);
  assert.ok(rig.webhooks.writes < 25, `${rig.webhooks.writes} writes`);
  rig.received.length = 0;
  rig.receiver = () => OK;
  await rig.pass(70_000);
  assert.deepEqual(new Set(rig.sequences), new Set(upTo(5000)));
  assert.equal(rig.received.length, 5000);
  assert.deepEqual(rig.failures(), []);
  assert.deepEqual(rig.events, ['we_1 paused', 'we_1 goes on']);
});

test('ordered: nothing passes a change that fails', async (t) => {
  const rig = new DeliveryRig(t);
  let isUp = false;
  rig.receiver = ({ sequence }) => (sequence === 4 && !isUp ? DOWN : OK);
  await rig.startWith(10, { ordered: true });
  await rig.pass(10 * 60_000);
  assert.equal(rig.endpoint().acknowledgedSequence, 3);
  assert.deepEqual(rig.failures(), [4]);
  isUp = true;
  await rig.pass(70_000);
  assert.deepEqual(
    rig.sequences.filter((sequence, index, all) => sequence !== all[index - 1]),
    upTo(10),
  );
  assert.deepEqual(rig.failures(), []);
  assert.equal(rig.endpoint().acknowledgedSequence, 10);
});

test('410 disables the endpoint before the change', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = ({ sequence }) => ({ status: sequence === 3 ? 410 : 200, retryAfterMs: null });
  await rig.startWith(10, { ordered: true });
  await rig.pass(5000);
  assert.deepEqual(rig.sequences, [1, 2, 3]);
  assert.equal(rig.endpoint().disabled?.reason, 'gone');
  assert.equal(rig.endpoint().acknowledgedSequence, 2);
  assert.deepEqual(rig.events, ['we_1 disabled: gone']);
});

test('without endpoints, nothing is written and no lease is taken; the first endpoint is noticed', async (t) => {
  const rig = new DeliveryRig(t);
  const calls = new Set<string>();
  rig.around = async (name, call) => {
    calls.add(name);
    return call();
  };
  await rig.start();
  await rig.pass(60_000);
  assert.deepEqual([...calls], ['listDeliverable']);
  rig.create();
  rig.record('shop-1', 3);
  await rig.pass(2000);
  assert.deepEqual(rig.sequences, upTo(3));
});

test('changes that wait for their receivers do not count as lag', async (t) => {
  const rig = new DeliveryRig(t);
  const answers: Record<string, SendResult> = {
    'https://down.example/': DOWN,
    'https://paused.example/': { status: 429, retryAfterMs: 3_600_000 },
    'https://refuses.example/': { status: 400, retryAfterMs: null },
  };
  rig.receiver = ({ url }) => answers[url] ?? new Promise(() => {});
  for (const [index, url] of Object.keys(answers).entries())
    rig.create({ id: `we_${index}`, account: `shop-${index}`, url, ordered: index === 2 });
  for (const index of [0, 1, 2]) rig.record(`shop-${index}`, index === 1 ? 1 : 20);
  const deliveries = await rig.start();
  await rig.pass(1000);
  rig.record('shop-1', 1);
  await rig.pass(600_000);
  const { paused, pausedChanges, lagChanges, lagMs } = deliveries.status;
  assert.deepEqual([paused, pausedChanges, lagChanges, lagMs], [1, 12 + 1 + 20, 0, 0]);

  rig.create({ id: 'we_3', account: 'shop-3', url: 'https://slow.example/' });
  rig.record('shop-3', 20);
  await rig.pass(10_000);
  assert.deepEqual([deliveries.status.pausedChanges, deliveries.status.lagChanges], [33, 20]);
  assert.ok(deliveries.status.lagMs >= 8000);
});
