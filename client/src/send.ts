import { ProblemError, TransactionsError, UnexpectedResponseError } from './errors.ts';
import { checkNames } from './known-names.ts';
import {
  beginRequest,
  connectionError,
  type Request,
  type RequestSettings,
  readText,
  refusal,
} from './request.ts';
import { type HttpResponse, isJson } from './response.ts';
import { MAX_TIMER_MS, wholeNumber } from './whole-number.ts';

export interface RequestOptions {
  /** Ends the call, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The time limit of each attempt, its body included; the `wait` of a request for changes is added to it. */
  timeoutMs?: number | undefined;
}

const REQUEST_OPTIONS = Object.keys({ signal: true, timeoutMs: true } satisfies Record<
  keyof RequestOptions,
  true
>);

/** Throws: TypeError for an unknown option. */
export function checkRequestOptions(options: RequestOptions): void {
  if (options instanceof AbortSignal) throw new TypeError('The options are a signal: pass { signal }.');
  checkNames('option', options, REQUEST_OPTIONS);
}

export interface RetryLimits {
  maxRetries: number;
  maxRetryAfterMs: number;
  /** Without its random part, which can be as long. */
  maxPauseMs: number;
}

export interface SendSettings extends RequestSettings {
  timeoutMs: number;
  callRetries: RetryLimits;
  /** Of a change feed, which has to outlast an outage. */
  feedRetries: RetryLimits;
  sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Sends a GET request for a path, and returns the body of a 200 response. The time for which the service is asked to wait
 * is added to the time limit of each attempt.
 */
export type Send = (
  path: string,
  options: RequestOptions,
  waitMs?: number,
  isFeed?: boolean,
) => Promise<{ body: unknown; requestId: string }>;

const FIRST_PAUSE_MS = 500;

/**
 * Returns a function that sends requests with retries. Requests only read, so all are safe to retry; those that can
 * succeed later are retried. The key stays inside this closure, where nothing prints it.
 */
export function createSend(settings: SendSettings): Send {
  const attempt = async (path: string, signal: AbortSignal | undefined, timeoutMs: number) => {
    const request = beginRequest(settings, path, 'application/json', signal);
    try {
      const response = await request.within(timeoutMs, async () => readText(await request.fetch(), request));
      if (response.status !== 200) throw refusal(response, settings);
      return {
        body: parseBody(response, request),
        requestId: response.headers.get('request-id') ?? request.requestId,
      };
    } finally {
      request.end();
    }
  };

  return async (path, options, waitMs = 0, isFeed = false) => {
    const limits = isFeed ? settings.feedRetries : settings.callRetries;
    const { signal } = options;
    const timeoutMs = Math.min(timeLimitMs(settings, options) + waitMs, MAX_TIMER_MS);
    for (let retries = 0; ; retries++) {
      signal?.throwIfAborted();
      try {
        return await attempt(path, signal, timeoutMs);
      } catch (error) {
        await pauseAfter(error, retries, limits, settings, signal);
      }
    }
  };
}

/** The time limit of each attempt of a call. */
export function timeLimitMs(settings: SendSettings, { timeoutMs }: RequestOptions): number {
  return wholeNumber('timeoutMs', timeoutMs ?? settings.timeoutMs, 1);
}

/** Waits before a request is retried. Throws: the error, if a retry would not help or is one too many. */
export async function pauseAfter(
  error: unknown,
  retries: number,
  { maxRetries, maxRetryAfterMs, maxPauseMs }: RetryLimits,
  { sleep, random }: Pick<SendSettings, 'sleep' | 'random'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!(error instanceof TransactionsError) || !error.retryable || retries >= maxRetries) throw error;
  const retryAfterMs = (error instanceof ProblemError && error.retryAfterMs) || 0;
  if (retryAfterMs > maxRetryAfterMs) throw error;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** retries, maxPauseMs);
  // The random part spreads the retries of clients that failed together.
  await sleep(Math.max(retryAfterMs, pauseMs) + random() * pauseMs, signal);
}

function parseBody(response: HttpResponse, { origin, requestId }: Request): unknown {
  if (!isJson(response)) {
    throw new UnexpectedResponseError(
      `The response is not JSON, so it did not come from this service (request ${requestId}).`,
      requestId,
    );
  }
  try {
    return JSON.parse(response.text);
  } catch (error) {
    throw connectionError(origin, 'the JSON is incomplete', requestId, error);
  }
}
