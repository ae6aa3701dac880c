import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { noteKey } from '../database/isolation.ts';
import { call, type Served, type ServeOptions, startServe } from '../service/process.ts';

export { createOperatorKey } from '../service/process.ts';

export const REACHING = { WEBHOOK_HTTP: 'true', WEBHOOK_NETWORKS: '127.0.0.1' };

interface Endpoint {
  id: string;
  secret: string;
  acknowledgedSequence: number;
  failureCount: number;
}

export const startWebhookService = (options: ServeOptions, t?: TestContext): Promise<Served> =>
  startServe({ ...options, env: { OPERATOR_PORT: '0', ...REACHING, ...options.env } }, t);

async function request(url: string, key: string, body?: string, type = 'application/json'): Promise<string> {
  const headers = { 'content-type': type };
  const response = await call(url, key, body === undefined ? {} : { method: 'POST', headers, body });
  const text = await response.text();
  assert.ok(response.ok, `${url}: ${response.status} ${text}`);
  return text;
}

export async function createWebhookKey(
  served: Served,
  operatorKey: string,
  account: string,
): Promise<string> {
  const url = `${served.operatorUrl}/v1/accounts/${account}/keys`;
  const { key } = JSON.parse(await request(url, operatorKey, '{"scopes":["read","webhooks"]}'));
  noteKey(key, account);
  return key;
}

export async function createEndpoint(
  served: Served,
  key: string,
  url: string,
  fields: object = {},
): Promise<Endpoint> {
  return JSON.parse(await request(`${served.url}/v1/webhooks`, key, JSON.stringify({ url, ...fields })));
}

export async function readEndpoint(served: Served, key: string, id: string): Promise<Endpoint> {
  return JSON.parse(await request(`${served.url}/v1/webhooks/${id}`, key));
}

export async function recordChanges(
  served: Served,
  operatorKey: string,
  accounts: readonly string[],
  references: readonly string[],
): Promise<void> {
  const fields = {
    status: 'pending',
    amount: '12.50',
    currencyCode: 'EUR',
    createdAt: '2026-06-15T12:00:00.000Z',
  };
  const lines = references.flatMap((reference) =>
    accounts.map((account) =>
      JSON.stringify({ account, reference: `${account}.${reference}`, merchantReference: null, ...fields }),
    ),
  );
  const url = `${served.operatorUrl}/v1/batch`;
  const answers = await request(url, operatorKey, lines.join('\n'), 'application/x-ndjson');
  assert.equal(answers.match(/"outcome":"recorded"/g)?.length, lines.length, answers.slice(0, 500));
}

export async function metricOf(served: Served, name: string): Promise<number> {
  const text = await (await fetch(`${served.operatorUrl}/metrics`)).text();
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
