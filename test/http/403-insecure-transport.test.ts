import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const config = { ...testConfig, trustedProxies: ['127.0.0.1'] };
const app = await buildTestApp({ config });
const key = await app.makeKey('store-1');

const sent = async (url: string, proto: string | undefined, sentKey: string | null = key) => {
  const { status, body } = await app.send(url, {
    ...(sentKey !== null && { key: sentKey }),
    ...(proto !== undefined && { headers: { 'x-forwarded-proto': proto } }),
  });
  return `${status} ${body?.code ?? ''}`.trim();
};

const REFUSED = '403 insecure_transport';

test('403: a request that reached the proxy without TLS is refused, whatever its key, path and method', async () => {
  for (const url of ['/v1/transactions', '/%761/transactions', '/v1/nothing', '/mcp']) {
    for (const each of [key, null, 'tk_live_wrong'])
      assert.equal(await sent(url, 'http', each), REFUSED, url);
    assert.notEqual(await sent(url, 'https'), REFUSED);
    assert.notEqual(await sent(url, undefined), REFUSED);
  }
});

test('403: if the header has several values, the last one counts, which the nearest proxy added', async () => {
  for (const proto of ['https,http', 'https, HTTP ', 'https, http'])
    assert.equal(await sent('/v1/transactions', proto), REFUSED, proto);
  for (const proto of ['http, https', 'http,https', 'xhttp', ''])
    assert.equal(await sent('/v1/transactions', proto), '200', proto);
});

test('200: requests that need no key are answered without TLS', async () => {
  for (const url of ['/livez', '/errors/insecure_transport', '/v1x'])
    assert.notEqual(await sent(url, 'http', null), REFUSED, url);
});

test('200: a header that is not from a trusted proxy is ignored', async () => {
  const untrusting = await buildTestApp({ config: { ...testConfig, trustedProxies: ['192.0.2.1'] } });
  const headers = { 'x-forwarded-proto': 'http' };
  const { status } = await untrusting.send('/v1/transactions', {
    key: await untrusting.makeKey('store-1'),
    headers,
  });
  assert.equal(status, 200);
});

test("403: the operator's listener refuses everything without TLS", async () => {
  const operator = await buildTestOperatorApp(app.store, app.clock, config);
  for (const url of ['/v1/accounts', '/livez', '/docs']) {
    const { status } = await operator.send(url, { method: 'GET', headers: { 'x-forwarded-proto': 'http' } });
    assert.equal(status, 403, url);
  }
});
