import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { PAID, PENDING } from '../../rig/http/request-bodies.ts';
import { buildTestApp, type TestApp, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/service/operator-app.ts';

const DAY_MS = 86_400_000;
const ROOT = '/v1/accounts/store-1/transactions';

describe('a createdAt that is more than 24 hours ahead of the clock', () => {
  let app: TestApp;
  let operator: TestOperatorApp;
  beforeEach(async () => {
    app = await buildTestApp();
    operator = await buildTestOperatorApp(app.store, app.clock);
  });

  const put = (reference: string, body: unknown) =>
    operator.send(`${ROOT}/${reference}`, { method: 'PUT', body });
  const post = (body: unknown, key = 'once') =>
    operator.send(ROOT, { method: 'POST', body, headers: { 'idempotency-key': key } });
  const batch = async (...lines: object[]) => {
    const { text } = await operator.send('/v1/batch', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      text: lines.map((line) => JSON.stringify({ account: 'store-1', ...line })).join('\n'),
    });
    const results = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return results.map(({ outcome, errors }) => [outcome, errors?.[0].code]);
  };
  const createdAt = (timeMs: number, body: object = PENDING) => ({
    ...body,
    createdAt: new Date(timeMs).toISOString(),
  });

  test('422: PUT, POST and batch refuse a new transaction, to the millisecond', async () => {
    const dayAheadMs = app.clock.now() + DAY_MS;
    assert.equal((await put('latest', createdAt(dayAheadMs))).status, 201);
    for (const refused of [
      await put('later', createdAt(dayAheadMs + 1)),
      await post(createdAt(dayAheadMs + 1)),
    ]) {
      assert.equal(refused.status, 422);
      assert.equal(refused.body.code, 'invalid_fields');
      const [{ pointer, code }] = refused.body.errors;
      assert.deepEqual([pointer, code], ['/createdAt', 'too_far_ahead']);
      assert.match(refused.body.detail, /2026-06-16T12:00:00\.000Z, and CREATED_AT_AHEAD raises it\.$/);
    }
    assert.deepEqual(
      await batch(
        { reference: 'b-1', ...createdAt(dayAheadMs) },
        { reference: 'b-2', ...createdAt(dayAheadMs + 1) },
        { reference: 'b-3', ...createdAt(dayAheadMs) },
      ),
      [
        ['recorded', undefined],
        ['invalid', 'too_far_ahead'],
        ['recorded', undefined],
      ],
    );
    for (const reference of ['later', 'b-2'])
      assert.equal(await app.store.retrieveTransaction('store-1', reference), undefined);
    app.clock.advance(1);
    assert.equal((await put('later', createdAt(dayAheadMs + 1))).status, 201);
    assert.equal((await post(createdAt(dayAheadMs + 1))).status, 201, 'the key of a refused POST was used');
  });

  test('200 and 201: what is recorded can be repeated and completed after the clock was set back', async () => {
    const atMs = app.clock.now() + DAY_MS;
    const [pending, paid] = [createdAt(atMs), createdAt(atMs, PAID)];
    assert.equal((await put('a', pending)).status, 201);
    const first = await post(pending);
    assert.equal(first.status, 201);
    assert.deepEqual(await batch({ reference: 'b', ...pending }, { reference: 'c', ...pending }), [
      ['recorded', undefined],
      ['recorded', undefined],
    ]);

    app.clock.advance(-2 * DAY_MS);
    assert.equal((await put('a', pending)).status, 200);
    assert.equal((await put('a', paid)).status, 200);
    assert.equal((await put('a', { ...paid, amount: '99.00' })).status, 409);
    const again = await post(pending);
    assert.equal(again.status, 201);
    assert.equal(again.body.reference, first.body.reference);
    assert.equal((await post({ ...pending, amount: '99.00' })).body.code, 'idempotency_key_reused');
    assert.deepEqual(
      await batch(
        { reference: 'b', ...pending },
        { reference: 'c', ...paid },
        { reference: 'd', ...pending },
        { reference: 'b', ...paid, amount: '99.00' },
      ),
      [
        ['unchanged', undefined],
        ['changed', undefined],
        ['invalid', 'too_far_ahead'],
        ['conflict', undefined],
      ],
    );
    assert.equal((await put('new', pending)).status, 422);
    assert.equal((await post(pending, 'twice')).status, 422);
  });

  test('201: CREATED_AT_AHEAD raises how far ahead a createdAt can be', async () => {
    const config = { ...testConfig, createdAtAheadSeconds: 172_800 };
    const raised = await buildTestOperatorApp(app.store, app.clock, config);
    const body = createdAt(app.clock.now() + 2 * DAY_MS);
    assert.equal((await raised.send(`${ROOT}/a`, { method: 'PUT', body })).status, 201);
  });
});
