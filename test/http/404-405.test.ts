import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

test('404 not_found: an unknown path, a trailing slash, or another case', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  for (const url of [
    '/v1',
    '/v1/',
    '/v1/transactions/',
    '/V1/transactions',
    '/v2/transactions',
    '//v1/transactions',
    '/v1/transaction',
    '/nope?status=pending',
  ]) {
    const { status, body } = await app.send(url, { key });
    assert.equal(status, 404, url);
    assert.equal(body.code, 'not_found');
  }
});

test('404 not_found: the detail of an unknown path leads to the reference of its listener', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  for (const { server } of [app, operator]) {
    const { detail } = (await server.inject('/v1/parcels?status=pending')).json();
    assert.equal(detail, 'There is no resource at "/v1/parcels". The reference at /docs has all operations.');
    assert.equal((await server.inject('/docs')).statusCode, 200);
  }
});

test('404 not_found: the detail suggests the nearest path that exists on its listener', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const suggestions: [typeof app.server, string, string | undefined][] = [
    [app.server, '/v1/transaction', '/v1/transactions'],
    [app.server, '/v1/Transactions?status=pending', '/v1/transactions'],
    [app.server, '/v2/transactions', '/v1/transactions'],
    [app.server, '/transactions', '/v1/transactions'],
    [app.server, '/v1/transactions.cvs', '/v1/transactions.csv'],
    [app.server, '/v1/transaction/a-1/changes', '/v1/transactions/{reference}/changes'],
    [app.server, '/v1/total', '/v1/totals'],
    [app.server, '/readz', '/readyz'],
    [app.server, '/v1/accounts', undefined],
    [app.server, '/v1', undefined],
    [app.server, '/favicon.ico', undefined],
    [app.server, `/v1/${'x'.repeat(4000)}`, undefined],
    [operator.server, '/v1/account', '/v1/accounts'],
    [operator.server, '/v1/account/store-1/keys', '/v1/accounts/{account}/keys'],
    [operator.server, '/accounts/store-1/transactions/a', '/v1/accounts/{account}/transactions/{reference}'],
  ];
  for (const [server, path, meant] of suggestions) {
    const { detail } = (await server.inject(path)).json();
    const [, suggested] = /: did you mean (\S+)\? /.exec(detail) ?? [];
    assert.equal(suggested, meant, detail);
  }
});

test('404 not_found: the detail names a slash too many', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  for (const { body } of [
    await app.send('/v1/transactions/', { key: await app.makeKey('store-1') }),
    await operator.send('/v1/accounts//keys', { method: 'GET' }),
  ])
    assert.equal(body.detail, 'The path ends in a slash, or has two slashes in a row: remove one.');
});

test('405 method_not_allowed: every other method, with Allow, before the key is checked', async () => {
  const app = await buildTestApp();
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const { status, headers, body } = await app.send('/v1/transactions', { method });
    assert.equal(status, 405, method);
    assert.equal(body.code, 'method_not_allowed');
    assert.equal(headers['allow'], 'GET, HEAD');
    assert.match(body.detail, new RegExp(`not ${method}`));
  }
});

test('400: a path with a broken escape gets the shape and headers of every error', async () => {
  const app = await buildTestApp();
  const { status, body } = await app.send('/nope/%zz');
  assert.equal(status, 400);
  assert.equal(body.code, 'invalid_request');
});
