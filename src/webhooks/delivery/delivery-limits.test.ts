import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryRig, DOWN, OK, upTo } from '../../../test/rig/webhooks/deliveries.ts';
import { MAX_FAILURES } from '../../../values/interface/limits.ts';
import type { SendResult } from '../send.ts';
import { WINDOW } from './delivery-state.ts';

const HANGING = new Promise<SendResult>(() => {});

test('one receiver that hangs delays no other of 1,000', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = ({ url }) => (url === 'shop-1' ? HANGING : OK);
  for (const index of upTo(1000)) {
    rig.create({ id: `we_${index}`, account: `shop-${index}`, url: `shop-${index}` });
    rig.record(`shop-${index}`, 10);
  }
  const deliveries = await rig.start();
  assert.equal(rig.received.filter(({ url }) => url !== 'shop-1').length, 999 * 10);
  assert.equal(deliveries.status.inFlight, WINDOW);
});

test('while a receiver hangs, changes of other types are not read without bound', async (t) => {
  const rig = new DeliveryRig(t);
  const first = Promise.withResolvers<SendResult>();
  rig.receiver = () => first.promise;
  rig.create({ types: ['transaction.failed'] });
  rig.record('shop-1', 1, 'failed');
  rig.record('shop-1', 20_000);
  let read = 0;
  rig.around = async (name, call) => {
    const result = call();
    if (name === 'listChanges') read += (result as { changes: unknown[] }).changes.length;
    return result;
  };
  await rig.start();
  assert.ok(read > 900 && read < 1200, `${read} changes`);
  first.resolve(OK);
  await rig.pass(3000);
  assert.deepEqual(rig.sequences, [1]);
  assert.equal(rig.endpoint().acknowledgedSequence, 20_001);
});

test('600 receivers that are known to hang take at most half of the slots', async (t) => {
  const rig = new DeliveryRig(t);
  const hang = () => new Promise<SendResult>((resolve) => setTimeout(() => resolve(DOWN), 15_000));
  rig.receiver = ({ url }) => (url === 'hanging' ? hang() : OK);
  for (const index of upTo(600)) {
    rig.create({ id: `we_${index}`, account: `shop-${index}`, url: 'hanging' });
    rig.record(`shop-${index}`, 1);
  }
  rig.create({ id: 'we_working', account: 'shop-working' });
  const deliveries = await rig.start();
  assert.equal(deliveries.status.inFlight, 256 + 192);
  await rig.pass(40_000);
  assert.equal(deliveries.status.inFlight, 256);
  rig.record('shop-working', 50);
  await rig.settle();
  assert.equal(rig.received.filter(({ url }) => url !== 'hanging').length, 50);
  await rig.pass(75_000);
  assert.equal(new Set(rig.received.map(({ id }) => id)).size, 650);
});

const HANGING_ENDPOINTS = 2000;
const TAKEN_OVER_MS = 10_000;

for (const [known, beforeMs] of [
  ['once', 90_000],
  ['never', 5000],
] as const)
  test(`after another instance took over, ${HANGING_ENDPOINTS} hanging receivers that answered ${known} do not delay one that works`, async (t) => {
    const rig = new DeliveryRig(t);
    const hang = () => new Promise<SendResult>((resolve) => setTimeout(() => resolve(DOWN), 15_000));
    rig.receiver = ({ url }) => (url === 'hanging' ? hang() : OK);
    const working = ['a', 'hanging-1000', 'z'];
    for (const index of upTo(HANGING_ENDPOINTS))
      rig.create({ id: `we_${index}`, account: `hanging-${index}`, url: 'hanging' });
    for (const account of working) rig.create({ id: `we_${account}`, account, url: 'working' });
    const accounts = new Set([...rig.webhooks.rows.values()].map(({ endpoint }) => endpoint.account));
    const one = await rig.start('A');
    await rig.start('B');
    for (const account of working) rig.record(account, 1);
    await rig.pass(5000);
    for (const account of accounts) rig.record(account, 1);
    await rig.pass(beforeMs, 1000);
    const arrived = () => rig.received.filter(({ url }) => url === 'working').length;
    assert.equal(arrived(), 2 * working.length);
    rig.kill(one);
    for (const account of accounts) rig.record(account, 1);
    await rig.pass(TAKEN_OVER_MS);
    assert.equal(arrived(), 3 * working.length);
  });

test('an endpoint with 1,000 failures stores no more, and loses no change', async (t) => {
  const rig = new DeliveryRig(t);
  rig.record('shop-1', MAX_FAILURES + 5);
  rig.create({ acknowledgedSequence: MAX_FAILURES });
  const failure = { attempts: 10, firstFailedAtMs: rig.now(), lastFailedAtMs: rig.now() };
  for (const sequence of upTo(MAX_FAILURES))
    rig.webhooks.rows.get('we_1')?.failures.set(sequence, {
      ...failure,
      sequence,
      nextAttemptAtMs: null,
      responseStatus: 400,
      error: 'the receiver answered 400',
    });
  rig.receiver = () => ({ status: 400, retryAfterMs: null });
  await rig.start();
  await rig.pass(120_000);
  assert.equal(rig.failures().length, MAX_FAILURES);
  assert.equal(rig.endpoint().acknowledgedSequence, MAX_FAILURES);
  rig.receiver = () => OK;
  rig.received.length = 0;
  await rig.pass(65_000);
  assert.deepEqual(
    rig.sequences.toSorted((left, right) => left - right),
    upTo(5).map((index) => MAX_FAILURES + index),
  );
});

test('429 with Retry-After pauses the endpoint', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = ({ sequence }) => (sequence === 1 ? { status: 429, retryAfterMs: 30_000 } : OK);
  await rig.startWith(3, { ordered: true });
  await rig.pass(29_000);
  assert.deepEqual(rig.sequences, [1]);
  rig.receiver = () => OK;
  await rig.pass(5000);
  assert.deepEqual(rig.sequences, [1, 1, 2, 3]);
});

test('while it is paused, an endpoint is probed with other changes too, in case one always fails', async (t) => {
  const rig = new DeliveryRig(t);
  let isDown = true;
  const failing = new Set(upTo(WINDOW + 1));
  rig.receiver = ({ sequence }) =>
    isDown || failing.has(sequence) ? { status: 500, retryAfterMs: null } : OK;
  await rig.startWith(30);
  await rig.pass(5000);
  isDown = false;
  await rig.pass(120_000);
  assert.deepEqual(rig.failures(), upTo(WINDOW + 1));
  assert.equal(rig.endpoint().acknowledgedSequence, 30);
});

test('a delivered test starts the next attempt of its paused endpoint, and of no other', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = () => ({ status: 503, retryAfterMs: 3_600_000 });
  rig.create();
  const deliveries = await rig.startWith(20, { id: 'we_2' });
  await rig.pass(60_000);
  assert.equal(deliveries.status.paused, 2);
  rig.received.length = 0;

  deliveries.noteTested({ account: 'shop-1', id: 'we_1' });
  await rig.settle();
  assert.equal(rig.received.length, 1, 'one probe, which fails');
  await rig.pass(60_000);
  assert.equal(rig.received.length, 1);
  assert.equal(deliveries.status.paused, 2);

  rig.receiver = () => OK;
  deliveries.noteTested({ account: 'shop-1', id: 'we_1' });
  await rig.pass(2000);
  assert.deepEqual([rig.endpoint('we_1').acknowledgedSequence, rig.failures('we_1')], [20, []]);
  assert.equal(deliveries.status.paused, 1);
});
