import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { SCOPES } from '../../src/values/scopes.ts';
import { buildTestApp, type TestResponse } from '../rig/app.ts';
import { buildTestOperatorApp, type OperatorRequest } from '../rig/operator-app.ts';

interface Operation {
  path: string;
  method: OperatorRequest['method'];
  parameters: readonly { in: string; name: string; schema: { examples?: string[] } }[];
}

/** The operations of a document, each reading one also with HEAD. */
function operationsOf(document: string): Operation[] {
  const { paths } = JSON.parse(readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8'));
  return Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, { parameters = [] }]) => {
      const method = name.toUpperCase() as Operation['method'];
      const operation = { path, method, parameters };
      return method === 'GET' ? [operation, { ...operation, method: 'HEAD' as const }] : [operation];
    }),
  );
}

const urlOf = ({ path, parameters }: Operation) =>
  parameters.reduce((url, { name, schema }) => url.replace(`{${name}}`, schema.examples?.[0] ?? ''), path);

/** The code of each fault of a parameter; a response to HEAD has none. */
const faultsOf = ({ body }: TestResponse) =>
  body?.errors?.map(({ parameter, code }: Record<string, string>) => `${parameter} ${code}`);

for (const document of ['openapi.json', 'openapi-operator.json']) {
  describe(document, () => {
    let send: (method: OperatorRequest['method'], url: string) => Promise<TestResponse>;

    before(async () => {
      const app = await buildTestApp();
      const operator = await buildTestOperatorApp(app.store, app.clock);
      const key = await app.makeKey('store-1', { scopes: SCOPES.account });
      send = (method, url) =>
        document === 'openapi.json' ? app.send(url, { method, key }) : operator.send(url, { method });
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
    }
  });
}
