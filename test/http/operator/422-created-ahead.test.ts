import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAID, PENDING, recordingInto } from '../../rig/http/request-bodies.ts';
import { buildTestApp, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

const DAY_MS = 86_400_000;

async function serve() {
  const app = await buildTestApp();
  return { app, ...recordingInto(await buildTestOperatorApp(app.store, app.clock)) };
}

const createdAt = (timeMs: number, body: object = PENDING) => ({
  ...body,
  createdAt: new Date(timeMs).toISOString(),
});

test('422: PUT, POST and batch refuse a createdAt that is more than exactly 24 hours ahead of the clock', async () => {
  const { app, put, post, batch } = await serve();
  const [latest, later] = [0, 1].map((ms) => createdAt(app.clock.now() + DAY_MS + ms)) as [object, object];
  assert.equal((await put('latest', latest)).status, 201);
  for (const { status, body } of [await put('later', later), await post(later)]) {
    assert.equal(status, 422);
    assert.deepEqual([body.errors[0].pointer, body.errors[0].code], ['/createdAt', 'too_far_ahead']);
    assert.match(body.detail, /2026-06-16T12:00:00\.000Z, and CREATED_AT_AHEAD raises it\.$/);
  }
  const lines = [latest, later, latest].map((one, index) => ({ reference: `b-${index}`, ...one }));
  assert.deepEqual(await batch(...lines), ['recorded', 'too_far_ahead', 'recorded']);
  assert.equal(await app.store.retrieveTransaction('store-1', 'later'), undefined);
  app.clock.advance(1);
  assert.equal((await put('later', later)).status, 201);
  assert.equal((await post(later)).status, 201, 'the key of a refused POST was used');
  const raised = await buildTestOperatorApp(app.store, app.clock, {
    ...testConfig,
    createdAtAheadSeconds: 172_800,
  });
  const body = createdAt(app.clock.now() + 2 * DAY_MS);
  assert.equal((await recordingInto(raised).put('raised', body)).status, 201);
});

test('200 and 201: a recorded transaction can be repeated and completed after the clock was set back', async () => {
  const { app, put, post, batch } = await serve();
  const atMs = app.clock.now() + DAY_MS;
  const [pending, paid] = [createdAt(atMs), createdAt(atMs, PAID)];
  assert.equal((await put('a', pending)).status, 201);
  const first = await post(pending);
  await batch({ reference: 'b', ...pending }, { reference: 'c', ...pending });
  app.clock.advance(-2 * DAY_MS);
  for (const [body, status] of [
    [pending, 200],
    [paid, 200],
    [{ ...paid, amount: '99.00' }, 409],
  ] as const)
    assert.equal((await put('a', body)).status, status);
  assert.equal((await post(pending)).body.reference, first.body.reference);
  assert.equal((await post({ ...pending, amount: '99.00' })).body.code, 'idempotency_key_reused');
  const lines = [
    { reference: 'b', ...pending },
    { reference: 'c', ...paid },
    { reference: 'd', ...pending },
  ];
  const outcomes = await batch(...lines, { reference: 'b', ...paid, amount: '99.00' });
  assert.deepEqual(outcomes, ['unchanged', 'changed', 'too_far_ahead', 'conflict']);
  assert.equal((await put('new', pending)).status, 422);
  assert.equal((await post(pending, 'twice')).status, 422);
});
