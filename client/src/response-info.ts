export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestInfo {
  method: Method;
  /** The path with its query. It may contain references and filters, but never the key. */
  path: string;
  /** The id of the request in the service's log. */
  requestId: string;
}

export interface ResponseInfo extends RequestInfo {
  status: number;
  /** The time from the request to the arrival of the response's headers. */
  durationMs: number;
  /** How many requests the key's rate limit still allows; null if the key has no limit. */
  rateLimit: { remaining: number; resetSeconds: number } | null;
  /** The time from which the key is refused. Null if that is more than seven days away. */
  keyExpiresAt: string | null;
}

/** A request that failed and will be retried. */
export interface RetryInfo {
  error: Error;
  /** 1 for the first retry. */
  retry: number;
  waitMs: number;
}

/** The client calls these functions, so that you can log and measure. Errors that they throw are ignored. */
export interface Hooks {
  /** Called before each attempt of a request. */
  onRequest?: ((request: RequestInfo) => void) | undefined;
  /** Called for each response, whatever its status. */
  onResponse?: ((response: ResponseInfo) => void) | undefined;
  /** Called before the client pauses for a retry. */
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
 * Information about the response that contained a result, such as its request id and the rate limit.
 *
 * @example console.log(responseOf(await client.totals())?.requestId);
 */
export function responseOf(result: object): ResponseInfo | undefined {
  return responses.get(result);
}
