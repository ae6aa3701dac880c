import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryRig, DOWN, OK, upTo } from '../../../test/rig/webhooks/deliveries.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import type { SendResult } from '../send.ts';
import { WINDOW } from './delivery-state.ts';
import { DISABLE_AFTER_MS } from './transitions.ts';

const DAY_MS = 86_400_000;

test('progress whose answer is lost is stored again, and nothing is delivered again', async (t) => {
  const rig = new DeliveryRig(t);
  let lost = 0;
  rig.around = async (name, call) => {
    const result = call();
    if (name === 'storeProgress' && lost++ < 2) throw new StoreUnavailable('database_error', 'lost');
    return result;
  };
  rig.receiver = ({ sequence }) => (sequence === 2 ? { status: 400, retryAfterMs: null } : OK);
  await rig.startWith(5);
  await rig.pass(10_000);
  assert.ok(lost > 2);
  assert.deepEqual(rig.sequences, [...upTo(5), 2]);
  assert.equal(rig.endpoint().acknowledgedSequence, 5);
  assert.deepEqual(rig.failures(), [2]);
});

for (const isReloaded of [false, true])
  test(`a failure that the database has lost is stored again before the position passes it${isReloaded ? ', also if the failures are read again' : ''}`, async (t) => {
    const rig = new DeliveryRig(t);
    const late = Promise.withResolvers<SendResult>();
    rig.receiver = ({ sequence }) =>
      sequence === 1 ? late.promise : sequence === 2 ? { status: 400, retryAfterMs: null } : OK;
    await rig.startWith(5);
    await rig.pass(2000);
    assert.deepEqual([rig.endpoint().acknowledgedSequence, rig.failures()], [0, [2]]);
    rig.webhooks.rows.get('we_1')?.failures.clear();
    if (isReloaded) rig.webhooks.replaceWebhook({ ...rig.endpoint(), version: 2, label: 'till' }, 'change');
    await rig.pass(1000);
    late.resolve(OK);
    // Less than the 5 s after which the failure is retried.
    await rig.pass(1500);
    assert.deepEqual([rig.endpoint().acknowledgedSequence, rig.failures()], [5, [2]]);
  });

test('a replay delivers every change after its number again, including changes in flight', async (t) => {
  const rig = new DeliveryRig(t);
  const late: PromiseWithResolvers<SendResult>[] = [];
  rig.receiver = ({ sequence }) => {
    if (sequence < 5) return OK;
    const waiting = Promise.withResolvers<SendResult>();
    late.push(waiting);
    return waiting.promise;
  };
  await rig.startWith(6);
  await rig.pass(1500);
  assert.equal(rig.endpoint().acknowledgedSequence, 4);
  const replayed = { ...rig.endpoint(), version: 2, acknowledgedSequence: 4 };
  rig.webhooks.replaceWebhook(replayed, 'replay');
  for (const { resolve } of late) resolve(OK);
  rig.receiver = () => OK;
  await rig.pass(5000);
  assert.deepEqual(rig.sequences, [...upTo(6), 5, 6]);
  assert.equal(rig.endpoint().acknowledgedSequence, 6);
  assert.equal(new Set(rig.received.map(({ id }) => id)).size, 6);
});

test('a change of a type that its owner no longer wants holds up no other, and is not delivered', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = () => DOWN;
  rig.create({ ordered: true });
  rig.create({ id: 'we_2' });
  rig.record('shop-1', 20, 'pending');
  rig.record('shop-1', 2);
  await rig.start();
  await rig.pass(10_000);
  for (const id of ['we_1', 'we_2']) {
    const changed = { ...rig.endpoint(id), version: 2, types: ['transaction.completed'] };
    rig.webhooks.replaceWebhook(changed, 'change');
  }
  rig.receiver = ({ sequence }) => (sequence <= WINDOW ? DOWN : OK);
  rig.received.length = 0;
  await rig.pass(70_000);
  assert.deepEqual(new Set(rig.sequences.filter((sequence) => sequence > WINDOW)), new Set([21, 22]));
  for (const id of ['we_1', 'we_2']) assert.equal(rig.endpoint(id).acknowledgedSequence, 22);
});

test('an endpoint beyond the head of its account is moved back to the head, which is reported', async (t) => {
  const rig = new DeliveryRig(t);
  rig.record('shop-1', 10);
  rig.create({ acknowledgedSequence: 25 });
  await rig.start();
  await rig.pass(3000);
  assert.deepEqual(rig.events, ['we_1 moved back from 25 to 10']);
  rig.record('shop-1', 3);
  await rig.pass(3000);
  assert.deepEqual(rig.sequences, [11, 12, 13]);
  assert.equal(rig.endpoint().acknowledgedSequence, 13);
});

test('an endpoint that fails for five days is disabled, and goes on when it is enabled again', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = () => DOWN;
  await rig.startWith(20);
  rig.jumpMs = 30 * DAY_MS;
  await rig.pass(60_000);
  assert.equal(rig.endpoint().disabled, null);
  rig.jumpMs = 0;
  await rig.pass(3_700_000, 1400);
  rig.jumpMs = DISABLE_AFTER_MS;
  await rig.pass(120_000);
  assert.equal(rig.endpoint().disabled?.reason, 'failing');
  assert.equal(rig.endpoint().acknowledgedSequence, WINDOW);
  rig.receiver = () => OK;
  const { version } = rig.endpoint();
  rig.webhooks.replaceWebhook({ ...rig.endpoint(), version: version + 1, disabled: null }, 'change');
  rig.received.length = 0;
  await rig.pass(10_000);
  assert.deepEqual(
    rig.sequences.filter((sequence) => sequence > WINDOW),
    upTo(20, WINDOW + 1),
  );
});
