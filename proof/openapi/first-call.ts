import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import createClient from 'openapi-fetch';
import document from '../../openapi.json' with { type: 'json' };
import { client as heyApi } from './generated/hey-api/client.gen.ts';
import { listTransactions as listWithHeyApi } from './generated/hey-api/sdk.gen.ts';
import { defaults, listTransactions as listWithOazapfts } from './generated/oazapfts.ts';
import type { Client } from './generated/openapi-client-axios.d.ts';
import { listTransactions as listWithOrval } from './generated/orval.ts';
import type { paths } from './generated/public.ts';
import { Api } from './generated/swagger-typescript-api.ts';
import { createApiClient } from './generated/zod-client.ts';

/*
 * The default client of each generator makes its first call: the first page of a list, from a service with sample data. It is bundled
 * before it runs, because generators write what Node does not run as it is.
 */
const service = spawn(process.execPath, ['../../bin/transactions.js', 'demo'], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let told = '';
for await (const piece of service.stdout) {
  told += piece;
  if (told.includes('/docs')) break;
}
const baseUrl = /http:\/\/[\d.:]+\d/.exec(told)?.[0] ?? '';
const headers = { Authorization: `Bearer ${/tk_live_\w+/.exec(told)?.[0]}` };

const CALLS: Record<string, () => Promise<object | undefined>> = {
  'openapi-typescript with openapi-fetch': async () =>
    (await createClient<paths>({ baseUrl, headers }).GET('/v1/transactions')).data,
  '@hey-api/openapi-ts': async () => {
    heyApi.setConfig({ baseUrl, headers });
    return (await listWithHeyApi()).data;
  },
  // Its addresses begin with the server of the document, which is the host of the page that calls.
  orval: async () => {
    const { fetch } = globalThis;
    globalThis.fetch = (path, options) => fetch(new URL(String(path), baseUrl), options);
    const calling = listWithOrval(undefined, { headers });
    globalThis.fetch = fetch;
    return (await calling).data;
  },
  'swagger-typescript-api': async () =>
    (await new Api({ baseUrl, baseApiParams: { headers } }).v1.listTransactions()).data,
  oazapfts: async () => {
    Object.assign(defaults, { baseUrl, headers });
    return (await listWithOazapfts()).data;
  },
  'openapi-zod-client': () => createApiClient(baseUrl, { axiosConfig: { headers } }).get('/v1/transactions'),
  'openapi-client-axios': async () => {
    const definition = document as unknown as ConstructorParameters<
      typeof OpenAPIClientAxios
    >[0]['definition'];
    const api = new OpenAPIClientAxios({ definition, axiosConfigDefaults: { baseURL: baseUrl, headers } });
    return (await (await api.init<Client>()).listTransactions()).data;
  },
};

for (const [name, call] of Object.entries(CALLS))
  test(`the client of ${name} lists ten transactions`, async () => {
    const page = await call();
    assert.ok(page !== undefined && 'data' in page && Array.isArray(page.data), JSON.stringify(page));
    assert.equal(page.data.length, 10);
  });

test('the service stops', async () => {
  service.kill();
  await once(service, 'exit');
});
