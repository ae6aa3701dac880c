export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One attempt of a request. */
export interface RequestInfo {
  method: Method;
  /** The path with its query, which has references and filters. It never contains the key. */
  path: string;
  /** Identifies the request in the service's log. */
  requestId: string;
}

/** The fields of the head of a response. */
export interface ResponseInfo extends RequestInfo {
  status: number;
  /** From the request to the head of the response. */
  durationMs: number;
  /** The rest of the key's rate limit; null if the key has none. */
  rateLimit: { remaining: number; resetSeconds: number } | null;
  /** The time from which the key is refused, in its last seven days; null before. */
  keyExpiresAt: string | null;
}

/** A request that failed and is sent again. */
export interface RetryInfo {
  error: Error;
  /** 1 for the first retry. */
  retry: number;
  /** How long the client waits before it. */
  waitMs: number;
}

/** Called while a client works, for logs and metrics. What they throw is ignored. */
export interface Hooks {
  /** Before each attempt of a request. */
  onRequest?: ((request: RequestInfo) => void) | undefined;
  /** For each response, whatever its status. */
  onResponse?: ((response: ResponseInfo) => void) | undefined;
  /** Before the pause of each retry. */
  onRetry?: ((retry: RetryInfo) => void) | undefined;
}

export function notify<Info>(hook: ((info: Info) => void) | undefined, info: Info): void {
  try {
    hook?.(info);
  } catch {
    // An error of a hook must not fail a call.
  }
}

export function responseInfo(
  request: RequestInfo,
  { status, headers }: { status: number; headers: { get(name: string): string | null } },
  durationMs: number,
): ResponseInfo {
  const [, remaining, reset] = /;r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  return {
    ...request,
    requestId: headers.get('request-id') ?? request.requestId,
    status,
    durationMs,
    rateLimit: reset === undefined ? null : { remaining: Number(remaining), resetSeconds: Number(reset) },
    keyExpiresAt: headers.get('key-expires'),
  };
}

const responses = /* @__PURE__ */ new WeakMap<object, ResponseInfo>();

export function keepResponse(result: unknown, response: ResponseInfo): void {
  if (typeof result === 'object' && result !== null) responses.set(result, response);
}

/**
 * The response that a result of the client was read from: its request id, the rate limit, the end of the key.
 *
 * @example console.log(responseOf(await client.totals())?.requestId);
 */
export function responseOf(result: object): ResponseInfo | undefined {
  return responses.get(result);
}
