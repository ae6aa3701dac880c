import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExport } from './read-export.ts';

test('an export is read from the service that served the page, also without TLS on another machine', async (context) => {
  const origin = 'http://transactions.internal:8080';
  Object.assign(globalThis, { location: { origin } });
  context.after(() => Reflect.deleteProperty(globalThis, 'location'));
  const abort = new AbortController();
  const { mock } = context.mock.method(globalThis, 'fetch', async () => {
    abort.abort();
    return Response.error();
  });
  await assert.rejects(
    readExport('key', { from: '2026-10-01' }, abort.signal, () => {}, {
      onRestart: () => {},
      onEnd: () => {},
    }).next(),
  );
  assert.deepEqual(
    mock.calls.map(({ arguments: [url] }) => String(url)),
    [`${origin}/v1/transactions.ndjson?from=2026-10-01`],
  );
});
