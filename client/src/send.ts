import { ProblemError, RateLimitedError, TransactionsError } from './errors.ts';
import { checkNames } from './known-names.ts';
import {
  beginRequest,
  type Call,
  connectionError,
  type FetchResponse,
  type Request,
  type RequestSettings,
  readText,
  refusal,
} from './request.ts';
import { type HttpResponse, isJson, notOurs } from './response.ts';
import { keepResponse, notify } from './response-info.ts';
import { MAX_TIMER_MS, wholeNumber } from './whole-number.ts';

export interface RequestOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The time limit of each attempt, including the body. The `wait` for changes is added to it. */
  timeoutMs?: number | undefined;
}

const REQUEST_OPTIONS = /* @__PURE__ */ Object.keys({ signal: true, timeoutMs: true } satisfies Record<
  keyof RequestOptions,
  true
>);

export function checkRequestOptions(options: RequestOptions, others: readonly string[] = []): void {
  if (options instanceof AbortSignal) throw new TypeError('The options are a signal: pass { signal }.');
  checkNames('option', options, [...REQUEST_OPTIONS, ...others]);
}

interface RetryLimits {
  maxRetries: number;
  maxRetryAfterMs: number;
  maxPauseMs: number;
}

export interface SendSettings extends RequestSettings {
  timeoutMs: number;
  callRetries: RetryLimits;
  feedRetries: RetryLimits;
  sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** `waitMs`: how long the service may wait before it answers. It is added to each attempt's time limit. */
export type Send = (
  call: string | Call,
  options: RequestOptions,
  waitMs?: number,
  isFeed?: boolean,
) => Promise<{ body: unknown; requestId: string; headers: FetchResponse['headers'] }>;

const FIRST_PAUSE_MS = 500;

/**
 * After a 429, every request can be retried, because the service did not handle the request. After other
 * errors, only repeatable requests can. The key is in no public field, so no printed object shows it.
 */
export function createSend(settings: SendSettings): Send {
  const attempt = async (call: Call, signal: AbortSignal | undefined, timeoutMs: number) => {
    const request = beginRequest(settings, call, signal);
    try {
      const response = await request.within(timeoutMs, async () => readText(await request.fetch(), request));
      if (response.status < 200 || response.status > 299) throw refusal(response, settings);
      const body = response.text === '' && response.status !== 200 ? undefined : parseBody(response, request);
      if (request.response !== undefined) keepResponse(body, request.response);
      return { body, requestId: response.requestId, headers: response.headers };
    } finally {
      request.end();
    }
  };

  return async (given, options, waitMs = 0, isFeed = false) => {
    const limits = isFeed ? settings.feedRetries : settings.callRetries;
    const call: Call = typeof given === 'string' ? { method: 'GET', path: given } : given;
    const { signal } = options;
    const timeoutMs = Math.min(timeLimitMs(settings, options) + waitMs, MAX_TIMER_MS);
    for (let retries = 0; ; retries++) {
      signal?.throwIfAborted();
      try {
        return await attempt(call, signal, timeoutMs);
      } catch (error) {
        if (call.isRepeatable === false && !(error instanceof RateLimitedError)) throw error;
        await pauseAfter(error, retries, limits, settings, signal);
      }
    }
  };
}

export function timeLimitMs(settings: SendSettings, { timeoutMs }: RequestOptions): number {
  return wholeNumber('timeoutMs', timeoutMs ?? settings.timeoutMs, 1);
}

export async function pauseAfter(
  error: unknown,
  retries: number,
  { maxRetries, maxRetryAfterMs, maxPauseMs }: RetryLimits,
  { sleep, random, onRetry }: Pick<SendSettings, 'sleep' | 'random' | 'onRetry'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!(error instanceof TransactionsError) || !error.retryable || retries >= maxRetries) throw error;
  const retryAfterMs = (error instanceof ProblemError && error.retryAfterMs) || 0;
  if (retryAfterMs > maxRetryAfterMs) throw error;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** retries, maxPauseMs);
  // The random part spreads the retries of clients that failed at the same time.
  const waitMs = Math.max(retryAfterMs, pauseMs) + random() * pauseMs;
  notify(onRetry, { error, retry: retries + 1, waitMs });
  await sleep(waitMs, signal);
}

function parseBody(response: HttpResponse, request: Request): unknown {
  if (!isJson(response)) {
    throw notOurs('JSON, so it did not come from this service', response);
  }
  try {
    return JSON.parse(response.text);
  } catch (error) {
    throw connectionError(request, 'the JSON is incomplete', error);
  }
}
