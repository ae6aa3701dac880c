import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';

const LIST = '/v1/transactions';

/** Headers that differ between two responses: a new cursor, a new id. */
const VARYING = ['date', 'link', 'request-id'];

test('HEAD gets the status and headers of GET, without the body', async () => {
  const app = await buildTestApp();
  await record(
    app.store,
    Array.from({ length: 11 }, (_, index) => transaction('store-1', `r${index}`)),
  );
  const key = await app.makeKey('store-1');
  for (const [url, given] of [
    [LIST, { key }],
    [`${LIST}?status=pending`, { key }],
    [`${LIST}?status=paid`, { key }],
    [`${LIST}?cursor=x&limit=5`, { key }],
    [LIST, { key: 'tk_live_wrong' }],
    [LIST, {}],
    ['/livez', {}],
    ['/healthz', {}],
    ['/readyz', {}],
    ['/openapi.json', {}],
    ['/docs/', {}],
    ['/errors', {}],
    ['/errors/cursor_expired', {}],
    ['/errors/nope', {}],
    ['/nope', {}],
  ] as const) {
    const headers = { 'request-id': 'same' };
    const get = await app.send(url, { ...given, headers });
    const head = await app.send(url, { ...given, headers, method: 'HEAD' });
    assert.equal(head.text, '', url);
    assert.equal(head.status, get.status, url);
    for (const name of new Set([...Object.keys(get.headers), ...Object.keys(head.headers)])) {
      if (VARYING.includes(name)) continue;
      assert.equal(head.headers[name], get.headers[name], `${url} ${name}`);
    }
    assert.equal(head.headers['link'] === undefined, get.headers['link'] === undefined, url);
  }
});
