import { jsonLines } from '../data/json-lines.ts';
import type { TestOperatorApp } from '../service/operator-app.ts';

/** The body of a request that records a transaction, before and after it is paid. */
export const PENDING = {
  merchantReference: 'order-7',
  status: 'pending',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: null,
  createdAt: '2026-03-01T10:00:00.000Z',
};
export const PAID = { ...PENDING, status: 'completed', paidAt: '2026-03-01T10:00:05.000Z' };

/** Sends a batch, and returns the results of its lines. */
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
