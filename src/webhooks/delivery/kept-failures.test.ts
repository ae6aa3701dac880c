import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DeliveryRig, OK, upTo } from '../../../test/rig/webhooks/deliveries.ts';
import type { Change } from '../../ledger/changes/change.ts';
import type { SendResult } from '../send.ts';
import type { WebhookFailure } from '../webhook.ts';

const REFUSED: SendResult = { status: 400, retryAfterMs: null };

function rigWithFailures(t: TestContext, count: number): DeliveryRig {
  const rig = new DeliveryRig(t);
  rig.record('shop-1', count);
  rig.create({ acknowledgedSequence: count });
  for (const sequence of upTo(count))
    rig.webhooks.rows.get('we_1')?.failures.set(sequence, {
      sequence,
      attempts: 9,
      firstFailedAtMs: rig.now(),
      lastFailedAtMs: rig.now(),
      nextAttemptAtMs: rig.now() + 3_600_000,
      responseStatus: 400,
      error: 'the receiver answered 400',
    });
  return rig;
}

const retry = (rig: DeliveryRig, sequence: number) =>
  assert.ok(rig.webhooks.retryWebhookFailure('shop-1', 'we_1', sequence, rig.now()));

const stored = (rig: DeliveryRig, sequence: number) =>
  rig.webhooks.rows.get('we_1')?.failures.get(sequence) as WebhookFailure;

test('a retry that is requested during an attempt begins after the attempt, if that fails', async (t) => {
  const rig = rigWithFailures(t, 2);
  const first = Promise.withResolvers<SendResult>();
  rig.receiver = () => first.promise;
  const deliveries = await rig.start();
  retry(rig, 1);
  deliveries.noteManaged('shop-1');
  await rig.pass(100, 50);
  assert.deepEqual(rig.sequences, [1]);
  retry(rig, 1);
  deliveries.noteManaged('shop-1');
  await rig.pass(100, 50);
  rig.receiver = () => OK;
  first.resolve(REFUSED);
  await rig.pass(2000);
  assert.deepEqual(rig.sequences, [1, 1]);
  assert.deepEqual(rig.failures(), [2]);
});

for (const isNoticed of [true, false])
  test(`a retry that is requested before a failed attempt is stored begins after the attempt, ${isNoticed ? 'noticed at once' : 'noticed afterwards'}`, async (t) => {
    const rig = rigWithFailures(t, 2);
    rig.receiver = () => REFUSED;
    const deliveries = await rig.start();
    retry(rig, 1);
    deliveries.noteManaged('shop-1');
    await rig.pass(100, 50);
    assert.deepEqual(rig.sequences, [1]);
    assert.equal(stored(rig, 1).attempts, 9);
    rig.receiver = () => OK;
    await rig.pass(isNoticed ? 100 : 700, 50);
    retry(rig, 1);
    if (isNoticed) deliveries.noteManaged('shop-1');
    await rig.pass(3000, 50);
    assert.deepEqual(rig.sequences, [1, 1]);
    assert.deepEqual(rig.failures(), [2]);
  });

test('an attempt while the receiver is down updates the time and error of its failure, but not the schedule', async (t) => {
  const rig = rigWithFailures(t, 30);
  for (const failure of rig.webhooks.rows.get('we_1')?.failures.values() ?? [])
    Object.assign(failure, { nextAttemptAtMs: rig.now() });
  rig.receiver = () => ({ error: 'the connection was refused' });
  await rig.start();
  await rig.pass(10_000);
  const attempted = rig.sequences.length;
  const before = new Map(upTo(30).map((sequence) => [sequence, stored(rig, sequence)]));
  await rig.pass(600_000);
  const again = new Set(rig.sequences.slice(attempted));
  assert.ok(again.size > 3);
  for (const sequence of again) {
    const { lastFailedAtMs, ...failure } = stored(rig, sequence);
    const { lastFailedAtMs: lastBeforeMs, ...earlier } = before.get(sequence) as WebhookFailure;
    assert.ok(lastFailedAtMs > lastBeforeMs);
    assert.deepEqual(failure, { ...earlier, responseStatus: null, error: 'the connection was refused' });
  }
});

test('a requested retry is made now, even if the clock of the requesting instance is ahead or behind', async (t) => {
  const rig = rigWithFailures(t, 2);
  const deliveries = await rig.start();
  for (const [sequence, aheadMs] of [
    [1, 600_000],
    [2, -600_000],
  ] as const) {
    rig.webhooks.retryWebhookFailure('shop-1', 'we_1', sequence, rig.now() + aheadMs);
    deliveries.noteManaged('shop-1');
    await rig.pass(2000);
  }
  assert.deepEqual([rig.sequences, rig.failures()], [[1, 2], []]);
});

for (const ordered of [true, false])
  test(`details that are removed while their change waits are not delivered, ${ordered ? 'ordered' : 'out of order'}`, async (t) => {
    const rig = new DeliveryRig(t);
    rig.record('shop-1', 9);
    const changes = rig.changes.get('shop-1') as Change[];
    const last = changes[ordered ? 0 : 8] as Change;
    last.transaction = { ...last.transaction, details: '{"customer":"Ada"}' };
    rig.create({ ordered });
    const hanging = Promise.withResolvers<SendResult>();
    rig.receiver = () => (ordered ? REFUSED : hanging.promise);
    await rig.start();
    changes[last.sequence - 1] = { ...last, transaction: { ...last.transaction, details: null } };
    await rig.pass(2000);
    rig.receiver = () => OK;
    hanging.resolve(OK);
    await rig.pass(10_000);
    const bodies = rig.received.filter(({ sequence }) => sequence === last.sequence);
    assert.match(bodies[0]?.attempt.body ?? '', ordered ? /Ada/ : /pay_9/);
    assert.doesNotMatch(bodies.at(-1)?.attempt.body ?? 'Ada', /Ada/);
    assert.equal(rig.endpoint().acknowledgedSequence, 9);
  });
