import {
  ArgumentError,
  ConnectionError,
  type Problem,
  type ProblemError,
  RequestTimeoutError,
  type TransactionsError,
  UnexpectedResponseError,
} from './errors.ts';
import { errorFrom, type HttpResponse } from './response.ts';
import { type Hooks, type Method, notify, type ResponseInfo, responseInfo } from './response-info.ts';

export interface FetchResponse {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Used only by exports and batches. */
  body?: { getReader(): BodyReader } | null | undefined;
}

interface BodyReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Redirects are not followed, so that the key does not reach another server. */
const REDIRECT = 'manual';

/** The part of fetch that the client uses. */
export type Fetch = (
  url: string,
  init: {
    method: Method;
    headers: Record<string, string>;
    body?: string | ReadableStream<Uint8Array>;
    /** Required if the body is a stream. */
    duplex?: 'half';
    signal: AbortSignal;
    redirect: 'manual';
    /** Absent on platforms that do not accept this option. */
    cache?: 'no-store';
    credentials?: 'omit';
  },
) => Promise<FetchResponse>;

export interface Call {
  method: Method;
  path: string;
  /** The media type of the response. Default: application/json. */
  accept?: string;
  body?: { type: string; content: string | ReadableStream<Uint8Array> } | undefined;
  headers?: Record<string, string>;
  /** False if the service must not handle the request twice. Default: true. */
  isRepeatable?: boolean;
}

export const jsonBody = (content: object) => ({
  type: 'application/json',
  content: JSON.stringify(content),
});

export interface RequestSettings extends Hooks {
  /** Without a slash at its end. */
  url: string;
  apiKey: string | null;
  fetch: Fetch;
  fetchOptions: ReturnType<typeof browserOptions>;
  now: () => number;
  /** Until the service has answered once, an unknown host or a TLS error means that the url is wrong. */
  service: { hasAnswered: boolean };
  random: () => number;
  toError?: ((problem: Problem) => ProblemError) | undefined;
}

export interface Request {
  requestId: string;
  target: string;
  origin: string;
  readonly response: ResponseInfo | undefined;
  fetch(): Promise<FetchResponse>;
  /** @throws ConnectionError, RequestTimeoutError, or the reason of the signal. */
  within<Result>(timeoutMs: number, step: () => Promise<Result>): Promise<Result>;
  end(): void;
}

export function beginRequest(
  { url, apiKey, fetch, fetchOptions, random, now, service, onRequest, onResponse }: RequestSettings,
  { method, path, accept = 'application/json', body, headers }: Call,
  signal: AbortSignal | undefined,
): Request {
  const { origin } = new URL(url);
  const requestId = newRequestId(random);
  const request = { method, path, requestId };
  const target = targetOf(method, path);
  let info: ResponseInfo | undefined;
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  return {
    requestId,
    target,
    origin,
    get response() {
      return info;
    },
    fetch: async () => {
      notify(onRequest, request);
      const startedAtMs = now();
      const response = await fetch(url + path, {
        method,
        headers: {
          ...headers,
          accept: `${accept}, application/problem+json`,
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
          // The client chooses the id, so that a request without a response can be found in the service's
          // log.
          'request-id': requestId,
          ...(body && { 'content-type': body.type }),
        },
        ...(body && { body: body.content }),
        ...(body && typeof body.content !== 'string' && { duplex: 'half' }),
        signal: ending.signal,
        redirect: REDIRECT,
        ...fetchOptions,
      });
      service.hasAnswered = true;
      info = responseInfo(request, response, now() - startedAtMs);
      notify(onResponse, info);
      return response;
    },
    within: async <Result>(timeoutMs: number, step: () => Promise<Result>) => {
      ending.signal.throwIfAborted();
      const timeout = setTimeout(
        () => ending.abort(new RequestTimeoutError(origin, timeoutMs, { target, requestId })),
        timeoutMs,
      );
      let stop = () => {};
      try {
        // A caller's fetch can ignore the signal, so the abort rejects this promise directly.
        return await new Promise<Result>((resolve, reject) => {
          stop = () => reject(ending.signal.reason);
          ending.signal.addEventListener('abort', stop);
          step().then(resolve, reject);
        });
      } catch (error) {
        if (ending.signal.aborted) throw ending.signal.reason;
        if (!takesOption('redirect', REDIRECT))
          throw new ArgumentError(
            `The fetch of this platform refuses redirect: '${REDIRECT}', so nothing was sent. Pass another fetch.`,
          );
        const code = causeCode(error);
        const isFirst = !service.hasAnswered;
        const isWrong = isFirst && WRONG_ADDRESS.test(code ?? '');
        const reason = isFirst ? reasonAtFirst(code, origin) : code;
        throw connectionError({ origin, target, requestId }, reason, error, !isWrong);
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

export async function readText(
  response: FetchResponse,
  { requestId, target }: Request,
): Promise<HttpResponse> {
  const { status, headers } = response;
  const id = headers.get('request-id') ?? requestId;
  return { status, headers, text: await response.text(), requestId: id, target };
}

/** Leaves out cursors, because they are long and mean nothing to a reader. */
export const targetOf = (method: Method, path: string) =>
  `${method} ${path.replace(/([?&]cursor=)[^&]*/, '$1...')}`;

export function refusal(response: HttpResponse, { url, now, toError }: RequestSettings): TransactionsError {
  const { status, requestId, target } = response;
  if (status >= 400) return errorFrom(response, url, now(), toError);
  return new UnexpectedResponseError(
    `The response to ${target} has status ${status}, which this service never sends (request ${requestId}).`,
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
  { origin, target, requestId }: Pick<Request, 'origin' | 'target' | 'requestId'>,
  reason: string | undefined,
  cause: unknown,
  isRetryable = true,
) {
  const suffix = reason === undefined ? '' : `: ${reason}`;
  const message = `No complete response came from ${origin}${suffix} (${target}, request ${requestId}).`;
  return new ConnectionError(message, requestId, cause, isRetryable);
}

const WRONG_ADDRESS = /^(?:ENOTFOUND|EPROTO|ERR_(?:SSL|TLS)_\w+|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED\w*)$/;

function reasonAtFirst(code = '', origin: string): string | undefined {
  if (/^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code))
    return `${code}, because this address speaks http: use ${origin.replace('https:', 'http:')}`;
  if (origin.startsWith('http:') && /^(?:UND_ERR_SOCKET|ECONNRESET|HPE_\w+)$/.test(code))
    return `${code}; if this address speaks https, use ${origin.replace('http:', 'https:')}`;
  return code || undefined;
}

/** Finds a code such as ECONNREFUSED. A message is not used, because it can contain the whole URL. */
function causeCode(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^\w{1,64}$/.test(code)) return code;
  return cause === undefined ? undefined : causeCode(cause);
}

/** Keeps browsers from storing responses and from sending cookies. */
const BROWSER_OPTIONS = { cache: 'no-store', credentials: 'omit' } as const;

/** Some platforms, such as workerd, refuse every request that has an option unknown to them. */
function takesOption(name: string, value: string): boolean {
  if (typeof Request !== 'function') return true;
  try {
    new Request('http://localhost', { [name]: value });
    return true;
  } catch {
    return false;
  }
}

export const browserOptions = (): Partial<typeof BROWSER_OPTIONS> =>
  Object.fromEntries(Object.entries(BROWSER_OPTIONS).filter(([name, value]) => takesOption(name, value)));
