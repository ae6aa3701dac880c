import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { SCOPES } from '../../src/values/scopes.ts';
import { buildTestApp, type TestResponse } from '../rig/service/app.ts';
import { buildTestOperatorApp, type OperatorRequest } from '../rig/service/operator-app.ts';

interface Operation {
  path: string;
  method: OperatorRequest['method'];
  parameters: readonly Parameter[];
  /** The fields of its JSON body. */
  fields: readonly string[] | undefined;
}

interface Parameter {
  in: string;
  name: string;
  schema: { examples?: string[] };
}

interface DescribedOperation {
  parameters?: readonly (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
}

/** The operations of a document, each reading one also with HEAD. */
function operationsOf(document: string): Operation[] {
  const { paths, components } = JSON.parse(
    readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8'),
  );
  return Object.entries<Record<string, DescribedOperation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, { parameters = [], requestBody }]) => {
      const method = name.toUpperCase() as Operation['method'];
      const schema = requestBody?.content['application/json']?.schema.$ref.split('/').at(-1);
      const fields = schema === undefined ? undefined : Object.keys(components.schemas[schema].properties);
      const resolved = parameters.map(
        (parameter): Parameter =>
          '$ref' in parameter
            ? components.parameters[parameter.$ref.replace('#/components/parameters/', '')]
            : parameter,
      );
      const operation = { path, method, parameters: resolved, fields };
      return method === 'GET' ? [operation, { ...operation, method: 'HEAD' as const }] : [operation];
    }),
  );
}

const urlOf = ({ path, parameters }: Operation) =>
  parameters.reduce((url, { name, schema }) => url.replace(`{${name}}`, schema.examples?.[0] ?? ''), path);

/** Each sentence of an error ends in one full stop; a fault of a field is a clause, and ends in none. */
function assertFullStops({ body }: TestResponse): void {
  assert.match(body.detail, /[^.][.?]$/);
  for (const { parameter, pointer, code, detail } of body.errors ?? []) {
    assert.match(code, /^[a-z_]+$/);
    if (parameter === undefined) {
      assert.match(pointer, /^\//);
      assert.match(detail, /[^.]$/);
    } else assert.match(detail, /[^.][.?]$/);
  }
}

/** The code of each fault of a parameter; a response to HEAD has none. */
const faultsOf = ({ body }: TestResponse) =>
  body?.errors?.map(({ parameter, code }: Record<string, string>) => `${parameter} ${code}`);

for (const document of ['openapi.json', 'openapi-operator.json']) {
  describe(document, () => {
    let send: (method: OperatorRequest['method'], url: string, body?: object) => Promise<TestResponse>;

    before(async () => {
      const app = await buildTestApp();
      const operator = await buildTestOperatorApp(app.store, app.clock);
      const key = await app.makeKey('store-1', { scopes: SCOPES.account });
      send = (method, url, body) => {
        const options = { method, ...(body !== undefined && { body }), headers: { 'idempotency-key': 'a' } };
        return document === 'openapi.json' ? app.send(url, { ...options, key }) : operator.send(url, options);
      };
    });

    for (const operation of operationsOf(document)) {
      const { method, path, parameters } = operation;
      const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);

      test(`${method} ${path} refuses parameters that are unknown or repeated`, async () => {
        const url = urlOf(operation);
        const expectFaults = async (query: string, expected: string[]) => {
          const refused = await send(method, `${url}?${query}`);
          assert.equal(refused.status, 400, query);
          if (method !== 'HEAD') assert.deepEqual(faultsOf(refused), expected, query);
        };
        await expectFaults('nonsense=1', ['nonsense unknown_parameter']);
        await expectFaults('nonsense=1&nonsense=2', ['nonsense unknown_parameter']);
        for (const name of names) await expectFaults(`${name}=1&${name}=1`, [`${name} duplicate_parameter`]);
      });

      test(`${method} ${path}: each fault of a value that ends in a full stop ends in one at most`, async () => {
        const url = urlOf(operation);
        if (method === 'HEAD') return;
        for (const name of [...names, 'x.', 'statu.'])
          for (const value of ['x.', '.', 'x...', 'pending.', '1.']) {
            const response = await send(method, `${url}?${encodeURIComponent(name)}=${value}`);
            if (response.status >= 400) assertFullStops(response);
          }
      });

      // A message of an assistant has other rules: src/mcp/messages.test.ts.
      if (operation.fields !== undefined && path !== '/mcp')
        test(`${method} ${path}: each faulty field has its pointer, a code and what would be right`, async () => {
          const { fields = [] } = operation;
          for (const value of ['x.', '.', 'x...', 'pending.', 1.5, [['x.']], ['x.', 'x.'], { x: '.' }]) {
            const all = Object.fromEntries(fields.map((field) => [field, value]));
            for (const unknown of ['x.', `${fields[0]}.`, `${fields[0]}s`]) {
              const response = await send(method, urlOf(operation), { ...all, [unknown]: value });
              assert.deepEqual([response.status, response.body.code], [422, 'invalid_fields']);
              assertFullStops(response);
              const fault = response.body.errors.find(
                ({ pointer }: { pointer: string }) => pointer === `/${unknown}`,
              );
              assert.equal(fault.code, 'unknown_field');
              for (const field of fields) assert.ok(fault.detail.includes(field), fault.detail);
            }
          }
        });
    }
  });
}
