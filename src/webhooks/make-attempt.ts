import type { Change } from '../ledger/changes/change.ts';
import { type AttemptResult, attemptResult } from './attempt-result.ts';
import { ATTEMPT_TIMEOUT_MS } from './attempt-schedule.ts';
import type { DeliveryDependencies } from './delivery-dependencies.ts';
import type { WebhookEndpoint } from './webhook.ts';
import { changeMessage, signedHeaders } from './webhook-message.ts';

/** Sends a change once, and reports the attempt, unless it was aborted and failed: then the result is undefined. */
export async function makeAttempt(
  { send, now, monotonicMs, hooks }: Pick<DeliveryDependencies, 'send' | 'now' | 'monotonicMs' | 'hooks'>,
  endpoint: WebhookEndpoint,
  change: Change,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  const { account, url } = endpoint;
  const message = changeMessage(account, change);
  const headers = signedHeaders(message, endpoint, now());
  const startedMs = monotonicMs();
  const attempt = { url, headers, body: message.body, timeoutMs: ATTEMPT_TIMEOUT_MS, signal };
  const result = attemptResult(await send(attempt));
  const { outcome } = result;
  // It failed because of this instance.
  if (signal.aborted && outcome !== 'delivered') return undefined;
  const durationMs = monotonicMs() - startedMs;
  hooks.onAttempt(endpoint, { sequence: change.sequence, outcome, durationMs });
  return result;
}
