import {
  ConnectionError,
  ProblemError,
  TimeoutError,
  TransactionsError,
  UnexpectedResponseError,
} from './errors.ts';
import { checkNames } from './known-names.ts';
import { errorFrom, type HttpResponse, isJson } from './response.ts';
import { MAX_TIMER_MS, wholeNumber } from './whole-number.ts';

/** The part of fetch that the client uses. */
export type Fetch = (
  url: string,
  init: {
    method: 'GET';
    headers: Record<string, string>;
    signal: AbortSignal;
    redirect: 'manual';
    cache: 'no-store';
    credentials: 'omit';
  },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>;

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

export interface SendSettings {
  /** Without a slash at its end. */
  url: string;
  apiKey: string;
  timeoutMs: number;
  callRetries: RetryLimits;
  /** Of a change feed, which has to outlast an outage. */
  feedRetries: RetryLimits;
  fetch: Fetch;
  now: () => number;
  sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** At least 0 and below 1. */
  random: () => number;
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
  const { url, apiKey, now, sleep, random } = settings;
  // Errors name only the origin: a path contains references, and a query filters.
  const { origin } = new URL(url);

  const attempt = async (
    path: string,
    { signal, timeoutMs }: { signal: AbortSignal | undefined; timeoutMs: number },
  ) => {
    const requestId = newRequestId(random);
    const headers = {
      accept: 'application/json, application/problem+json',
      authorization: `Bearer ${apiKey}`,
      // Set by the client, so that a request without a response can be found in the service's log.
      'request-id': requestId,
    };
    const response = await fetchWithin(settings.fetch, url + path, headers, {
      origin,
      requestId,
      signal,
      timeoutMs,
    });
    if (response.status !== 200) {
      if (response.status >= 400) throw errorFrom(response, url, now());
      throw new UnexpectedResponseError(
        `The response has status ${response.status}, which this service never sends.`,
        requestId,
      );
    }
    return { body: parseBody(response, origin), requestId: response.headers.get('request-id') ?? requestId };
  };

  return async (path, options, waitMs = 0, isFeed = false) => {
    const { maxRetries, maxRetryAfterMs, maxPauseMs } = isFeed ? settings.feedRetries : settings.callRetries;
    const { signal } = options;
    const limitMs = wholeNumber('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1);
    const timeoutMs = Math.min(limitMs + waitMs, MAX_TIMER_MS);
    for (let retries = 0; ; retries++) {
      signal?.throwIfAborted();
      try {
        return await attempt(path, { signal, timeoutMs });
      } catch (error) {
        if (!(error instanceof TransactionsError) || !error.retryable || retries >= maxRetries) throw error;
        const retryAfterMs = (error instanceof ProblemError && error.retryAfterMs) || 0;
        if (retryAfterMs > maxRetryAfterMs) throw error;
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** retries, maxPauseMs);
        // The random part spreads the retries of clients that failed together.
        await sleep(Math.max(retryAfterMs, pauseMs) + random() * pauseMs, signal);
      }
    }
  };
}

function newRequestId(random: () => number): string {
  const part = () =>
    Math.floor(random() * 36 ** 8)
      .toString(36)
      .padStart(8, '0');
  return `client-${part()}${part()}`;
}

/** Sends one request and reads its whole response within the time limit. */
async function fetchWithin(
  fetch: Fetch,
  url: string,
  headers: Record<string, string>,
  {
    origin,
    requestId,
    signal,
    timeoutMs,
  }: { origin: string; requestId: string; signal: AbortSignal | undefined; timeoutMs: number },
): Promise<HttpResponse> {
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const timeout = setTimeout(() => ending.abort(new TimeoutError(origin, timeoutMs, requestId)), timeoutMs);
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason));
  });
  const send = async () => {
    const response = await fetch(url, {
      method: 'GET',
      headers,
      signal: ending.signal,
      // A redirection must not carry the key to another server.
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
    });
    return { status: response.status, headers: response.headers, text: await response.text(), requestId };
  };
  try {
    // A fetch that was passed in can ignore its signal.
    return await Promise.race([send(), ended]);
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason;
    throw connectionError(origin, causeCode(error), requestId, error);
  } finally {
    clearTimeout(timeout);
    signal?.removeEventListener('abort', abort);
  }
}

function parseBody(response: HttpResponse, origin: string): unknown {
  const { requestId } = response;
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

function connectionError(origin: string, reason: string | undefined, requestId: string, cause: unknown) {
  const suffix = reason === undefined ? '' : `: ${reason}`;
  const message = `No complete response came from ${origin}${suffix} (request ${requestId}).`;
  return new ConnectionError(message, requestId, cause);
}

/** The platform's code, such as ECONNREFUSED. Its message is left out, because it can contain the whole URL. */
function causeCode(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^\w{1,64}$/.test(code)) return code;
  return cause === undefined ? undefined : causeCode(cause);
}
