import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { SCOPES } from '../../values/scopes.ts';
import { PENDING } from '../rig/http/request-bodies.ts';
import { buildTestApp, type TestResponse } from '../rig/service/app.ts';
import { buildTestOperatorApp, type OperatorRequest } from '../rig/service/operator-app.ts';
import { storeWith } from '../rig/store/store-with.ts';

/* Sends wrong query and path parameters to every operation of both documents. */

interface Parameter {
  in: string;
  name: string;
  schema: { examples?: string[] };
}

interface Operation {
  method: OperatorRequest['method'];
  path: string;
  parameters: readonly Parameter[];
}

/** A document's operations. Each GET is also sent as HEAD. */
function operationsOf(document: string): Operation[] {
  const { paths, components } = JSON.parse(
    readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8'),
  );
  type Described = { parameters?: readonly (Parameter & { $ref?: string })[] };
  return Object.entries<Record<string, Described>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, { parameters = [] }]) => {
      const resolved = parameters.map(
        (one) => components.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one,
      );
      const operation = { path, method: name.toUpperCase() as Operation['method'], parameters: resolved };
      return name === 'get' ? [operation, { ...operation, method: 'HEAD' as const }] : [operation];
    }),
  );
}

/** Invalid identifiers in the form that a URL has. */
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
  'one character too many': 'x'.repeat(65),
  'many characters': 'x'.repeat(300),
};
/** The router refuses an escape that it cannot decode. */
const UNDECODABLE = ['%ff%fe', '%ED%A0%80', '%zz'];
const READING = ['GET', 'HEAD', 'DELETE'];
/** The service chooses these values itself, so nothing is ever recorded under a caller's value. */
const ASSIGNED = ['id', 'sequence'];

/** A store that notes all its calls except look-ups of keys. */
function watched(store: Store, calls: string[]): Store {
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
  return storeWith(store, Object.fromEntries(wrapped));
}

for (const document of ['openapi.json', 'openapi-operator.json'])
  describe(document, () => {
    const calls: string[] = [];
    let send: (method: OperatorRequest['method'], url: string, body?: object) => Promise<TestResponse>;

    before(async () => {
      const { store, clock, makeKey } = await buildTestApp();
      const key = await makeKey('store-1', { scopes: SCOPES.account });
      const app = await buildTestApp({ store: watched(store, calls), clock });
      const operator = await buildTestOperatorApp(watched(store, calls), clock);
      send = (method, url, body) => {
        const options = { method, ...(body !== undefined && { body }), headers: { 'idempotency-key': 'a' } };
        return document === 'openapi.json' ? app.send(url, { ...options, key }) : operator.send(url, options);
      };
    });

    for (const { method, path, parameters } of operationsOf(document)) {
      const urlWith = (values: Record<string, string> = {}) =>
        path.replaceAll(/\{(\w+)\}/g, (_, name) => {
          const parameter = parameters.find((one) => one.name === name);
          return values[name] ?? parameter?.schema.examples?.[0] ?? assert.fail(name);
        });

      test(`${method} ${path} refuses parameters that are unknown or repeated`, async () => {
        const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
        for (const [query, fault] of [
          ['nonsense=1', 'nonsense unknown_parameter'],
          ['nonsense=1&nonsense=2', 'nonsense unknown_parameter'],
          ...names.map((name) => [`${name}=1&${name}=1`, `${name} duplicate_parameter`]),
        ]) {
          const { status, body } = await send(method, `${urlWith()}?${query}`);
          assert.equal(status, 400, query);
          const faults = body?.errors.map(
            (one: Record<string, string>) => `${one['parameter']} ${one['code']}`,
          );
          if (method !== 'HEAD') assert.deepEqual(faults, [fault]);
        }
      });

      for (const { name } of parameters.filter((one) => one.in === 'path'))
        test(`${method} ${path}: an invalid ${name} is refused by its rule, and the store is not queried`, async () => {
          calls.length = 0;
          const body = READING.includes(method) ? undefined : document === 'openapi.json' ? {} : PENDING;
          const expected = READING.includes(method) || ASSIGNED.includes(name) ? 404 : 422;
          for (const [what, value] of Object.entries(BAD_VALUES)) {
            const response = await send(method, urlWith({ [name]: value }), body);
            assert.equal(response.status, expected, what);
            if (expected === 422) assert.equal(response.body.errors[0].pointer, `/${name}`);
          }
          for (const value of UNDECODABLE)
            assert.equal((await send(method, urlWith({ [name]: value }), body)).status, 400, value);
          assert.deepEqual(calls, []);
        });
    }
  });
