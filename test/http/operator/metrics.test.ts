import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record, transaction } from '../../rig/data/transactions.ts';
import { PENDING, recordingInto } from '../../rig/http/request-bodies.ts';
import { buildTestApp, metric } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

test('/metrics counts responses by route and status, problems by code, recordings by outcome; and contains no secret', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const scrape = async () => (await operator.send('/metrics', { method: 'GET', key: null })).text;
  const cursorsRefused = (reason: string) => `transactions_cursors_refused_total{reason="${reason}"}`;
  const recordedAs = (outcome: string) => `transactions_recorded_total{outcome="${outcome}"}`;
  const SERIES = {
    lists:
      'transactions_http_request_duration_seconds_count{listener="public",method="GET",route="/v1/transactions",status="200"}',
    problem: 'transactions_http_problems_total{listener="public",code="cursor_malformed"}',
    malformed: cursorsRefused('malformed'),
    expired: cursorsRefused('expired'),
    mismatched: cursorsRefused('filter_mismatch'),
    unrouted: 'transactions_http_problems_total{listener="public",code="invalid_request"}',
    recorded: recordedAs('recorded'),
    conflict: recordedAs('conflict'),
    invalid: recordedAs('invalid'),
    unchanged: recordedAs('unchanged'),
    repeated: recordedAs('repeated'),
    key_reused: recordedAs('key_reused'),
  };
  const counts = () => Promise.all(Object.values(SERIES).map(metric));
  const before = await counts();

  const key = await app.makeKey('store-1');
  await app.send('/v1/transactions', { key });
  await app.send('/v1/transactions?cursor=secret-cursor', { key });
  const { put, batch } = recordingInto(operator);
  const other = { ...PENDING, amount: '2.00' };
  await put('store-1.private');
  await put('store-1.private', other);
  const { post } = recordingInto(operator, 'store-2');
  for (const [body, status] of [
    [PENDING, 201],
    [PENDING, 201],
    [other, 409],
  ] as const)
    assert.equal((await post(body)).status, status);
  await batch({ ...PENDING, reference: 'store-1.private' }, {});

  await record(
    app.store,
    Array.from({ length: 11 }, (_, index) => transaction('store-3', `r${index}`)),
  );
  const listing = await app.makeKey('store-3');
  const { nextCursor } = (await app.send('/v1/transactions', { key: listing })).body;
  await app.send(`/v1/transactions?cursor=${nextCursor}&status=pending`, { key: listing });
  app.clock.advance(90_000_000);
  await app.send(`/v1/transactions?cursor=${nextCursor}`, { key: listing });
  await app.send('/v1/%zz');

  const after = await scrape();
  const more = (await counts()).map((count, index) => count - (before[index] ?? 0));
  for (const [index, name] of Object.keys(SERIES).entries())
    assert.equal(more[index], name === 'lists' || name === 'recorded' ? 2 : 1, name);
  assert.match(after, /^nodejs_eventloop_lag_/m);
  assert.match(after, /^process_resident_memory_bytes /m);
  for (const secret of [key, operator.key, nextCursor, 'secret-cursor', 'store-1', 'private', 'EUR', 'once'])
    assert.ok(!after.includes(secret), `${secret} is in the metrics`);
  assert.equal((await app.send('/metrics')).status, 404);
});
