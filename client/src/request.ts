import { ConnectionError, TimeoutError, type TransactionsError, UnexpectedResponseError } from './errors.ts';
import { errorFrom, type HttpResponse } from './response.ts';

/** The part of a response that the client uses. */
export interface FetchResponse {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Only exports need it. */
  body?: { getReader(): BodyReader } | null | undefined;
}

export interface BodyReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

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
) => Promise<FetchResponse>;

export interface RequestSettings {
  /** Without a slash at its end. */
  url: string;
  apiKey: string;
  fetch: Fetch;
  now: () => number;
  /** At least 0 and below 1. */
  random: () => number;
}

/** One attempt of a request. */
export interface Request {
  requestId: string;
  /** Errors name only the origin: a path contains references, and a query filters. */
  origin: string;
  fetch(): Promise<FetchResponse>;
  /**
   * The result of a step of the request, if it comes within the time limit and before the signal is aborted.
   *
   * Throws: ConnectionError, TimeoutError, or the reason of the signal.
   */
  within<Result>(timeoutMs: number, step: () => Promise<Result>): Promise<Result>;
  /** Ends the request, and closes its connection if the response is not complete. */
  end(): void;
}

export function beginRequest(
  { url, apiKey, fetch, random }: RequestSettings,
  path: string,
  type: string,
  signal: AbortSignal | undefined,
): Request {
  const { origin } = new URL(url);
  const requestId = newRequestId(random);
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  return {
    requestId,
    origin,
    fetch: () =>
      fetch(url + path, {
        method: 'GET',
        headers: {
          accept: `${type}, application/problem+json`,
          authorization: `Bearer ${apiKey}`,
          // Set by the client, so that a request without a response can be found in the service's log.
          'request-id': requestId,
        },
        signal: ending.signal,
        // A redirection must not carry the key to another server.
        redirect: 'manual',
        cache: 'no-store',
        credentials: 'omit',
      }),
    within: async <Result>(timeoutMs: number, step: () => Promise<Result>) => {
      ending.signal.throwIfAborted();
      const timeout = setTimeout(
        () => ending.abort(new TimeoutError(origin, timeoutMs, requestId)),
        timeoutMs,
      );
      let stop = () => {};
      try {
        // A fetch that was passed in can ignore its signal.
        return await new Promise<Result>((resolve, reject) => {
          stop = () => reject(ending.signal.reason);
          ending.signal.addEventListener('abort', stop);
          step().then(resolve, reject);
        });
      } catch (error) {
        if (ending.signal.aborted) throw ending.signal.reason;
        throw connectionError(origin, causeCode(error), requestId, error);
      } finally {
        clearTimeout(timeout);
        ending.signal.removeEventListener('abort', stop);
      }
    },
    end: () => {
      signal?.removeEventListener('abort', abort);
      ending.abort();
    },
  };
}

export async function readText(response: FetchResponse, { requestId }: Request): Promise<HttpResponse> {
  return { status: response.status, headers: response.headers, text: await response.text(), requestId };
}

/** The error of a response whose status is not 200. */
export function refusal(response: HttpResponse, { url, now }: RequestSettings): TransactionsError {
  const { status, requestId } = response;
  if (status >= 400) return errorFrom(response, url, now());
  return new UnexpectedResponseError(
    `The response has status ${status}, which this service never sends.`,
    requestId,
  );
}

function newRequestId(random: () => number): string {
  const part = () =>
    Math.floor(random() * 36 ** 8)
      .toString(36)
      .padStart(8, '0');
  return `client-${part()}${part()}`;
}

export function connectionError(
  origin: string,
  reason: string | undefined,
  requestId: string,
  cause: unknown,
) {
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
