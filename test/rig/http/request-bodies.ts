import { request } from 'node:http';
import type { TestContext } from 'node:test';
import { jsonLines } from '../data/json-lines.ts';
import type { TestOperatorApp } from '../service/operator-app.ts';

export const PENDING = {
  merchantReference: 'order-7',
  status: 'pending',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: null,
  createdAt: '2026-03-01T10:00:00.000Z',
};
export const PAID = { ...PENDING, status: 'completed', paidAt: '2026-03-01T10:00:05.000Z' };

export async function sendBatch(
  operator: TestOperatorApp,
  lines: readonly (object | string)[],
  key = operator.key,
) {
  const { text } = await operator.send('/v1/batch', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/x-ndjson' },
    text: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  });
  return jsonLines(text);
}

export function recordingInto(operator: TestOperatorApp, account = 'store-1') {
  const root = `/v1/accounts/${account}/transactions`;
  return {
    put: (reference: string, body: object = PENDING) =>
      operator.send(`${root}/${reference}`, { method: 'PUT', body }),
    post: (body: object = PENDING, key = 'once') =>
      operator.send(root, { method: 'POST', body, headers: { 'idempotency-key': key } }),
    batch: async (...lines: object[]): Promise<string[]> => {
      const results = await sendBatch(
        operator,
        lines.map((line) => ({ account, ...line })),
      );
      return results.map(({ outcome, errors }) => errors?.[0].code ?? outcome);
    },
  };
}

export async function openBatch(t: TestContext, operator: TestOperatorApp, key = operator.key) {
  const url = await operator.server.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => operator.server.close());
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  return request(`${url}/v1/batch`, { method: 'POST', agent: false, headers }).on('error', () => {});
}
