import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { OPERATOR_ACCOUNT } from '../../src/values/caller.ts';
import { buildTestApp, type TestResponse } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { storeWith } from '../rig/store/store-with.ts';

/** Invalid identifiers, as they are written in a URL. */
const BAD_VALUES: Record<string, string> = {
  'the place of the account in an operator key': OPERATOR_ACCOUNT,
  'the same, escaped': '%2A',
  'a zero byte': '%00',
  'a zero byte after a valid name': 'store-1%00',
  'a line break': 'a%0Ab',
  'an escape of terminals': '%1B%5B31m',
  'a right-to-left override': '%E2%80%AEx',
  'a letter that is not ASCII': '%C3%A4',
  'a space': 'a%20b',
  'a slash': 'store-1%2Fkeys',
  'a backslash': 'a%5Cb',
  'an escape of an escape': '%2561',
  'bytes that are not UTF-8': '%ff%fe',
  'half a surrogate': '%ED%A0%80',
  'a broken escape': '%zz',
  'one character too many': 'x'.repeat(65),
  'many characters': 'x'.repeat(300),
};
const goodValues = (path: string): Record<string, string> => ({
  account: 'store-1',
  reference: 'store-1.a',
  sequence: '7',
  id: path.includes('/webhooks/') ? 'we_0000000000000000' : 'key_0000000000000000',
});
/** Only the service makes these: none of them is ever recorded under a value that a caller chooses. */
const ASSIGNED = ['id', 'sequence'];
const READING = ['get', 'head', 'delete'];

interface Operation {
  method: string;
  path: string;
  parameter: string;
}

/** Each parameter of each path of a document, with each method. */
function pathParametersOf(document: string): Operation[] {
  const { paths } = JSON.parse(readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8'));
  return Object.keys(paths).flatMap((path) =>
    [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, parameter = '']) =>
      Object.keys(paths[path])
        .flatMap((method) => (method === 'get' ? ['get', 'head'] : [method]))
        .map((method) => ({ method, path, parameter })),
    ),
  );
}

/** A store that notes its calls, except the lookup of keys. */
function watched(store: Store): { store: Store; calls: string[] } {
  const calls: string[] = [];
  const wrapped = Object.entries(storeWith(store, {})).map(([name, call]) => {
    if (typeof call !== 'function' || name === 'findApiKey') return [name, call];
    return [
      name,
      (...values: unknown[]) => {
        calls.push(name);
        return call(...values);
      },
    ];
  });
  return { store: storeWith(store, Object.fromEntries(wrapped)), calls };
}

type Send = (method: string, url: string) => Promise<TestResponse>;

async function askers(): Promise<{ documents: Record<string, Send>; calls: string[] }> {
  const app = await buildTestApp();
  const { store, calls } = watched(app.store);
  const listening = await buildTestApp({ store });
  const operator = await buildTestOperatorApp(store, app.clock);
  const key = await app.makeKey('store-1', { scopes: ['read', 'webhooks'] });
  const body = { status: 'pending', amount: '1.00', currencyCode: 'EUR', createdAt: '2026-03-01T00:00:00Z' };
  // Drop the calls that created the keys.
  calls.length = 0;
  return {
    documents: {
      'openapi.json': (method, url) =>
        listening.send(url, {
          method: method.toUpperCase() as 'GET',
          key,
          ...(!READING.includes(method) && { body: {} }),
        }),
      'openapi-operator.json': (method, url) =>
        operator.send(url, {
          method: method.toUpperCase() as 'GET',
          ...(!READING.includes(method) && { body, headers: { 'idempotency-key': 'a' } }),
        }),
    },
    calls,
  };
}

for (const document of ['openapi.json', 'openapi-operator.json']) {
  for (const { method, path, parameter } of pathParametersOf(document)) {
    test(`${method.toUpperCase()} ${path}: an invalid ${parameter} is refused by its rule, and the store is not queried`, async () => {
      const { documents, calls } = await askers();
      const send = documents[document] as Send;
      for (const [name, value] of Object.entries(BAD_VALUES)) {
        const url = path.replaceAll(/\{(\w+)\}/g, (_, each) =>
          each === parameter ? value : (goodValues(path)[each] as string),
        );
        const { status, body } = await send(method, url);
        // The router refuses an escape that cannot be decoded.
        const expected = /%zz|%ff|%ED/.test(value)
          ? 400
          : READING.includes(method) || ASSIGNED.includes(parameter)
            ? 404
            : 422;
        assert.equal(status, expected, `${name} as ${parameter}`);
        if (status === 422)
          assert.deepEqual(
            body.errors.map(({ pointer }: { pointer: string }) => pointer),
            [`/${parameter}`],
          );
      }
      assert.deepEqual(calls, []);
    });
  }
}

test('the OpenAPI documents have path parameters to test', () => {
  assert.ok(pathParametersOf('openapi.json').length >= 2);
  assert.ok(pathParametersOf('openapi-operator.json').length >= 8);
});

test("404: the operator's own keys cannot be listed or revoked as keys of an account", async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const [own] = await app.store.listApiKeys(OPERATOR_ACCOUNT, null, 100);
  assert.ok(own !== undefined);
  for (const account of ['*', '%2A', '%2a']) {
    const listed = await operator.send(`/v1/accounts/${account}/keys`, { method: 'GET' });
    assert.deepEqual([listed.status, listed.body.code], [404, 'not_found']);
    const revoked = await operator.send(`/v1/accounts/${account}/keys/${own.id}`, { method: 'DELETE' });
    assert.deepEqual([revoked.status, revoked.body.code], [404, 'not_found']);
  }
  assert.equal((await app.store.listApiKeys(OPERATOR_ACCOUNT, null, 100))[0]?.revokedAtMs, null);
});

test('401 has precedence over an invalid path, however long its parameters are', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  for (const value of ['%00', 'x'.repeat(65), 'x'.repeat(300)]) {
    assert.equal((await app.send(`/v1/transactions/${value}`)).status, 401);
    const refused = await operator.send(`/v1/accounts/${value}/keys`, { method: 'GET', key: null });
    assert.equal(refused.status, 401);
  }
});

test('200: an identifier can be percent-encoded', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const escaped = [...'store-1'].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
  const { status, body } = await operator.send(`/v1/accounts/${escaped}/keys`, { method: 'POST', body: {} });
  assert.deepEqual([status, body.account], [201, 'store-1']);
});
