import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import createClient from 'openapi-fetch';
import { client as heyApi } from './generated/hey-api/client.gen.ts';
import { listTransactions as listWithHeyApi } from './generated/hey-api/sdk.gen.ts';
import { listTransactions as listWithOrval } from './generated/orval.ts';
import type { paths } from './generated/public.ts';

/* This file is bundled, because Node cannot run the generated files. */
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
  orval: async () => {
    const { fetch } = globalThis;
    globalThis.fetch = (path, options) => fetch(new URL(String(path), baseUrl), options);
    const calling = listWithOrval(undefined, { headers });
    globalThis.fetch = fetch;
    return (await calling).data;
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
