import { randomBase62 } from '../../values/base62.ts';
import { formatTimestamp } from '../../values/calendar.ts';
import { FairSlots } from '../../values/fair-slots.ts';
import { Problem } from '../../values/problem.ts';
import type { RandomBytes } from '../../values/reference.ts';
import { ATTEMPT_TIMEOUT_MS, attemptResult } from './delivery/attempts.ts';
import type { Send } from './send.ts';
import type { WebhookEndpoint } from './webhook.ts';
import { signedHeaders } from './webhook-message.ts';

interface TestDependencies {
  send: Send;
  now: () => number;
  monotonicMs: () => number;
  randomBytes: RandomBytes;
}

interface TestResult {
  delivered: boolean;
  status: number | null;
  /** A text for the owner of the endpoint. */
  error: string | null;
  durationMs: number;
}

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

const TESTS_OF_ACCOUNT = 2;
const TESTS_OF_PROCESS = 64;
const RETRY_SECONDS = 5;

const tooManyTests = () =>
  new Problem(
    'too_many_tests',
    `The account already waits for the receivers of two test webhooks. Try again in ${RETRY_SECONDS} s, or when one of them has answered.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  );

export const testSlots = () =>
  new FairSlots(TESTS_OF_PROCESS, { most: TESTS_OF_ACCOUNT, refusal: tooManyTests });
