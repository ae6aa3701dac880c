import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../rig/app.ts';
import { buildTestOperatorApp } from '../../rig/operator-app.ts';

test('/metrics counts answers by route and status, problems by code, recordings by outcome; and holds no secret', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const scrape = async () => (await operator.ask('/metrics', { method: 'GET', key: null })).text;
  const countOf = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1] ?? 0,
    );
  const SERIES = {
    lists:
      'transactions_http_request_duration_seconds_count{listener="public",method="GET",route="/v1/transactions",status="200"}',
    expired: 'transactions_http_problems_total{listener="public",code="cursor_malformed"}',
    recorded: 'transactions_recorded_total{outcome="recorded"}',
    conflict: 'transactions_recorded_total{outcome="conflict"}',
  };
  const before = await scrape();

  const key = await app.makeKey('store-1');
  await app.ask('/v1/transactions', { key });
  await app.ask('/v1/transactions?cursor=secret-cursor', { key });
  const fact = { status: 'pending', amount: '1.00', currencyCode: 'EUR', createdAt: '2026-03-01T00:00:00Z' };
  const at = '/v1/accounts/store-1/transactions/store-1.private';
  await operator.ask(at, { method: 'PUT', body: fact });
  await operator.ask(at, { method: 'PUT', body: { ...fact, amount: '2.00' } });

  const after = await scrape();
  for (const [name, series] of Object.entries(SERIES)) {
    assert.equal(countOf(after, series) - countOf(before, series), 1, name);
  }
  assert.match(after, /^nodejs_eventloop_lag_/m);
  assert.match(after, /^process_resident_memory_bytes /m);
  for (const secret of [key, operator.key, 'secret-cursor', 'store-1', 'private', 'EUR']) {
    assert.ok(!after.includes(secret), `${secret} is in the metrics`);
  }
  assert.equal((await app.ask('/metrics')).status, 404);
});
