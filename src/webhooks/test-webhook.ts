import { randomBase62 } from '../values/base62.ts';
import { formatTimestamp } from '../values/calendar.ts';
import type { RandomBytes } from '../values/reference.ts';
import { attemptResult } from './delivery/attempt-result.ts';
import { ATTEMPT_TIMEOUT_MS } from './delivery/attempt-schedule.ts';
import type { Send } from './send.ts';
import type { WebhookEndpoint } from './webhook.ts';
import { signedHeaders } from './webhook-message.ts';

interface TestDependencies {
  send: Send;
  now: () => number;
  monotonicMs: () => number;
  randomBytes: RandomBytes;
}

export interface TestResult {
  delivered: boolean;
  /** The status of the response; null without one. */
  status: number | null;
  /** Why it was not delivered, in a few words for the owner of the endpoint; null if it was. */
  error: string | null;
  durationMs: number;
}

/** Sends an event of the type `webhook.test` to an endpoint, which can be disabled. `signal` ends the attempt. */
export async function testWebhook(
  { send, now, monotonicMs, randomBytes }: TestDependencies,
  endpoint: WebhookEndpoint,
  signal: AbortSignal,
): Promise<TestResult> {
  const nowMs = now();
  const id = `msg_${randomBase62(22, randomBytes)}`;
  const data = { webhookId: endpoint.id };
  const body = JSON.stringify({ type: 'webhook.test', timestamp: formatTimestamp(nowMs), data });
  const headers = signedHeaders({ id, body }, endpoint, nowMs);
  const beganAtMs = monotonicMs();
  const sent = await send({ url: endpoint.url, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS, signal });
  const durationMs = Math.round(monotonicMs() - beganAtMs);
  const { outcome, responseStatus, error } = attemptResult(sent);
  const delivered = outcome === 'delivered';
  return { delivered, status: responseStatus, error: delivered ? null : error, durationMs };
}
