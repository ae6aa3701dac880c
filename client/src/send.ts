import { type Answer, errorOf, isJson } from './answer.ts';
import {
  ConnectionError,
  ProblemError,
  TimeoutError,
  TransactionsError,
  UnexpectedResponseError,
} from './errors.ts';
import { checkNames } from './known-names.ts';
import { wholeNumber } from './whole-number.ts';

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
  /** How long each attempt may take, its body included. */
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

export interface SendSettings {
  /** Without a slash at its end. */
  url: string;
  apiKey: string;
  timeoutMs: number;
  maxRetries: number;
  maxRetryAfterMs: number;
  fetch: Fetch;
  now: () => number;
  sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** At least 0 and below 1. */
  random: () => number;
}

/** Asks for a path and gives what it answered with 200. */
export type Send = (path: string, options: RequestOptions) => Promise<{ body: unknown; requestId: string }>;

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 4000;

/**
 * The way to the service. Every request reads only, so any of them may be sent again; those are that might get
 * another answer then. The key stays inside of this function, where nothing prints it.
 */
export function createSend(settings: SendSettings): Send {
  const { url, apiKey, maxRetries, maxRetryAfterMs, now, sleep, random } = settings;
  // Errors name it alone: a path holds references, and a query filters.
  const { origin } = new URL(url);

  const attempt = async (
    path: string,
    { signal, timeoutMs }: { signal: AbortSignal | undefined; timeoutMs: number },
  ) => {
    const requestId = newRequestId(random);
    const headers = {
      accept: 'application/json, application/problem+json',
      authorization: `Bearer ${apiKey}`,
      // Named by the client, so that even a request without an answer can be found in the service's log.
      'request-id': requestId,
    };
    const answer = await exchange(settings.fetch, url + path, headers, {
      origin,
      requestId,
      signal,
      timeoutMs,
    });
    if (answer.status !== 200) {
      if (answer.status >= 400) throw errorOf(answer, url, now());
      throw new UnexpectedResponseError(
        `The service answered with status ${answer.status}, which it never does.`,
        requestId,
      );
    }
    return { body: bodyOf(answer, origin), requestId: answer.headers.get('request-id') ?? requestId };
  };

  return async (path, options) => {
    const { signal } = options;
    const timeoutMs = wholeNumber('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1);
    for (let retries = 0; ; retries++) {
      signal?.throwIfAborted();
      try {
        return await attempt(path, { signal, timeoutMs });
      } catch (error) {
        if (!(error instanceof TransactionsError) || !error.retryable || retries >= maxRetries) throw error;
        const askedMs = (error instanceof ProblemError && error.retryAfterMs) || 0;
        if (askedMs > maxRetryAfterMs) throw error;
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** retries, MAX_PAUSE_MS);
        // The random part spreads clients that failed together over as long again.
        await sleep(Math.max(askedMs, pauseMs) + random() * pauseMs, signal);
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

/** One request and its whole answer, within its time. */
async function exchange(
  fetch: Fetch,
  url: string,
  headers: Record<string, string>,
  {
    origin,
    requestId,
    signal,
    timeoutMs,
  }: { origin: string; requestId: string; signal: AbortSignal | undefined; timeoutMs: number },
): Promise<Answer> {
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const timeout = setTimeout(() => ending.abort(new TimeoutError(origin, timeoutMs, requestId)), timeoutMs);
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason));
  });
  const ask = async () => {
    const response = await fetch(url, {
      method: 'GET',
      headers,
      signal: ending.signal,
      // The key goes where it was meant to go, and nowhere else.
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
    });
    return { status: response.status, headers: response.headers, text: await response.text(), requestId };
  };
  try {
    // A fetch that was passed in may not heed its signal.
    return await Promise.race([ask(), ended]);
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason;
    throw connectionError(origin, causeCode(error), requestId, error);
  } finally {
    clearTimeout(timeout);
    signal?.removeEventListener('abort', abort);
  }
}

function bodyOf(answer: Answer, origin: string): unknown {
  const { requestId } = answer;
  if (!isJson(answer)) {
    throw new UnexpectedResponseError(
      `The answer is not JSON, so it is none of the service (request ${requestId}).`,
      requestId,
    );
  }
  try {
    return JSON.parse(answer.text);
  } catch (error) {
    throw connectionError(origin, 'its JSON was cut short', requestId, error);
  }
}

function connectionError(origin: string, reason: string | undefined, requestId: string, cause: unknown) {
  const why = reason === undefined ? '' : `: ${reason}`;
  const message = `No complete answer came from ${origin}${why} (request ${requestId}).`;
  return new ConnectionError(message, requestId, cause);
}

/** The platform's code, such as ECONNREFUSED. Its messages may hold the whole address, so they are left out. */
function causeCode(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^\w{1,64}$/.test(code)) return code;
  return cause === undefined ? undefined : causeCode(cause);
}
