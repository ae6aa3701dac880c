/** The codes of the service and of this client. Further ones may come: take those that you do not know. */
export type ErrorCode =
  | 'invalid_status'
  | 'invalid_currency'
  | 'invalid_merchant_reference'
  | 'invalid_date'
  | 'date_range_inverted'
  | 'date_range_too_long'
  | 'cursor_malformed'
  | 'cursor_expired'
  | 'cursor_filter_mismatch'
  | 'unknown_parameter'
  | 'duplicate_parameter'
  | 'invalid_request'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'headers_too_large'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'
  | 'connection_failed'
  | 'timed_out'
  | 'unexpected_response'
  | 'invalid_argument'
  | (string & {});

/** What is wrong with one parameter of the query, and what would be right. */
export interface ParameterFault {
  parameter: string;
  code: ErrorCode;
  detail: string;
}

/** An error answer, read from its problem document as far as it has one. */
export interface Problem {
  status: number;
  code: ErrorCode;
  title: string;
  detail: string;
  /** The address of a page that explains the code, or null. */
  helpUrl: string | null;
  requestId: string | null;
  faults: readonly ParameterFault[];
  /** What the service asks to wait, in milliseconds, or null. */
  retryAfterMs: number | null;
  /** With cursor_expired: the service's own way of going on. */
  resume: string | null;
}

/** Every error of this client. An aborted call rejects with the reason of its signal instead, as fetch does. */
export abstract class TransactionsError extends Error {
  readonly code: ErrorCode;
  /** Names the request in the service's log; null where none was sent. */
  readonly requestId: string | null;
  /** Whether the same call may succeed later. The client has tried again already, as often as it may. */
  readonly retryable: boolean = false;

  constructor(code: ErrorCode, message: string, requestId: string | null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.requestId = requestId;
  }
}

/** The service refused the request, or failed to answer it. */
export abstract class ProblemError extends TransactionsError {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly helpUrl: string | null;
  readonly faults: readonly ParameterFault[];
  readonly retryAfterMs: number | null;

  constructor(problem: Problem) {
    const { status, code, title, detail, helpUrl, requestId, faults, retryAfterMs } = problem;
    const told = [
      detail,
      ...(faults.length > 1 ? faults.map((fault) => `${fault.parameter}: ${fault.detail}`) : []),
    ];
    super(
      code,
      `${told.join(' ')} (${code}${requestId === null ? '' : `, request ${requestId}`})`,
      requestId,
    );
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.helpUrl = helpUrl;
    this.faults = faults;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 400 and the like: the request is wrong, and `faults` tells each parameter that is. */
export class InvalidRequestError extends ProblemError {
  override readonly name: string = 'InvalidRequestError';
}

/** 400 cursor_expired. A walk goes on by itself; this reaches who sends cursors of their own. */
export class CursorExpiredError extends InvalidRequestError {
  override readonly name = 'CursorExpiredError';
  /** The path and query of the same list from the UTC day of the last transaction seen. */
  readonly resume: string | null;

  constructor(problem: Problem) {
    super(problem);
    this.resume = problem.resume;
  }
}

/** 400 cursor_malformed: altered, or of another account. */
export class CursorMalformedError extends InvalidRequestError {
  override readonly name = 'CursorMalformedError';
}

/** 401: the API key is missing, unknown, revoked or expired. */
export class AuthenticationError extends ProblemError {
  override readonly name = 'AuthenticationError';
}

/** 404: the account has no such transaction. */
export class NotFoundError extends ProblemError {
  override readonly name = 'NotFoundError';
}

/** 429: more requests than the key may send. */
export class RateLimitedError extends ProblemError {
  override readonly name = 'RateLimitedError';
  override readonly retryable = true;
}

/** 408 and 5xx: the service, or something on the way to it, could not answer. */
export class ServiceError extends ProblemError {
  override readonly name = 'ServiceError';
  // 501 and 505 tell what will not change by waiting.
  override readonly retryable: boolean = this.status !== 501 && this.status !== 505;
}

/**
 * The service could not be reached, or the connection was lost before the answer was complete. The message names the
 * address of the service and the platform's code for the cause, where it has one.
 */
export class ConnectionError extends TransactionsError {
  override readonly name = 'ConnectionError';
  override readonly retryable = true;

  constructor(message: string, requestId: string, cause: unknown) {
    super('connection_failed', message, requestId, cause);
  }
}

/** The answer was not complete in time. */
export class TimeoutError extends TransactionsError {
  override readonly name = 'TimeoutError';
  override readonly retryable = true;

  constructor(origin: string, timeoutMs: number, requestId: string) {
    super('timed_out', `${origin} did not answer within ${timeoutMs} ms (request ${requestId}).`, requestId);
  }
}

/** The answer is none of this service: a proxy's page, for instance, or another service's. */
export class UnexpectedResponseError extends TransactionsError {
  override readonly name = 'UnexpectedResponseError';

  constructor(message: string, requestId: string | null) {
    super('unexpected_response', message, requestId);
  }
}

/** The client was called wrongly, and nothing was sent. */
export class ArgumentError extends TransactionsError {
  override readonly name = 'ArgumentError';

  constructor(message: string) {
    super('invalid_argument', message, null);
  }
}

/** The error of its kind that an error answer makes. */
export function problemError(problem: Problem): ProblemError {
  const { status, code } = problem;
  if (code === 'cursor_expired') return new CursorExpiredError(problem);
  if (code === 'cursor_malformed') return new CursorMalformedError(problem);
  if (status === 401) return new AuthenticationError(problem);
  if (status === 404) return new NotFoundError(problem);
  if (status === 429) return new RateLimitedError(problem);
  if (status === 408 || status >= 500) return new ServiceError(problem);
  return new InvalidRequestError(problem);
}
