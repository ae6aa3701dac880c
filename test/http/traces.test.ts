import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, beforeEach, describe, test } from 'node:test';
import { context, propagation, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { registeredTracer } from '../../src/http/telemetry/tracing.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { listen } from '../rig/http/connection.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { appOnFaultyStore, rejectWith } from '../rig/store/faulty-store.ts';
import { storeWith } from '../rig/store/store-with.ts';

const LIST = '/v1/transactions';

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const tracer = provider.getTracer('test');
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

describe('traces', () => {
  beforeEach(() => exporter.reset());
  after(() => {
    context.disable();
    propagation.disable();
  });

  const spanNamed = (name: string): ReadableSpan => {
    const found = exporter.getFinishedSpans().filter((span) => span.name === name);
    assert.equal(found.length, 1, `${name}: ${exporter.getFinishedSpans().map((span) => span.name)}`);
    return found[0] as ReadableSpan;
  };

  test('without an SDK there is no tracer, and requests have no extra cost', () => {
    assert.equal(registeredTracer(), null);
  });

  test('a request is a span with its route and status in the trace of its caller, with a child span for each call of the store', async () => {
    const app = await buildTestApp({ tracer });
    await record(app.store, [transaction('store-1', 'a')]);
    const key = await app.makeKey('store-1');
    await app.keyCache.refresh();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'request-id': 'mine-7' };
    await app.send(LIST, { key, headers });

    const request = spanNamed(`GET ${LIST}`);
    assert.equal(request.kind, SpanKind.SERVER);
    assert.deepEqual(request.attributes, {
      'http.request.method': 'GET',
      'http.route': LIST,
      'http.response.status_code': 200,
      'transactions.request_id': 'mine-7',
    });
    assert.equal(request.spanContext().traceId, traceId);
    assert.equal(request.parentSpanContext?.spanId, 'b7ad6b7169203331');
    for (const call of ['findApiKey', 'listTransactions']) {
      const span = spanNamed(`store ${call}`);
      assert.equal(span.parentSpanContext?.spanId, request.spanContext().spanId);
      assert.equal(span.spanContext().traceId, traceId);
    }
  });

  test('both spans of a failure have its error type, and nothing else about it', async () => {
    const unavailable = rejectWith(
      () => new StoreUnavailable('database_error', 'the secret of the database'),
    );
    const { app, faults } = await appOnFaultyStore(['listTransactions'], unavailable, { tracer });
    const key = await app.makeKey('store-1');
    faults.failing = true;
    assert.equal((await app.send(LIST, { key })).status, 503);
    const request = spanNamed(`GET ${LIST}`);
    assert.equal(request.status.code, SpanStatusCode.ERROR);
    assert.equal(request.attributes['error.type'], 'unavailable');
    const call = spanNamed('store listTransactions');
    assert.equal(call.status.code, SpanStatusCode.ERROR);
    assert.equal(call.attributes['error.type'], 'StoreUnavailable');
  });

  test('the span of an aborted request ends with its connection', async (t) => {
    const { store } = await openStore(IN_MEMORY_URL, Date.now);
    const queried = Promise.withResolvers<void>();
    const hang = () => {
      queried.resolve();
      return new Promise<never>(() => {});
    };
    const app = await buildTestApp({ store: storeWith(store, { ping: hang }), tracer });
    const { open } = await listen(t, app.server);
    const connected = once(app.server.server, 'connection');
    const caller = open();
    caller.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [[socket]] = await Promise.all([connected, queried.promise]);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    caller.resetAndDestroy();
    await closed;
    const { attributes } = spanNamed('GET /readyz');
    assert.equal(attributes['error.type'], 'aborted');
    assert.equal(attributes['http.response.status_code'], undefined);
  });

  test('no key, cursor, reference, account or filter value is in any span', async () => {
    const app = await buildTestApp({ tracer });
    await record(
      app.store,
      Array.from({ length: 11 }, (_, index) => transaction('store-1', `private-${index}`)),
    );
    const key = await app.makeKey('store-1');
    const { nextCursor } = (await app.send(`${LIST}?currency=EUR`, { key })).body;
    await app.send(`${LIST}?cursor=${nextCursor}`, { key });
    await app.send(`${LIST}/store-1.private-1`, { key });
    await app.send(`/nope/${key}`);
    await app.send(LIST, { key: `${key}x` });
    const spans = exporter
      .getFinishedSpans()
      .map(({ name, attributes, events, status }) => JSON.stringify({ name, attributes, events, status }));
    assert.ok(spans.length >= 8);
    for (const secret of [key, nextCursor, 'store-1', 'private', 'EUR']) {
      assert.ok(!spans.join('').includes(secret), `${secret} is in a span`);
    }
  });
});
