import type { ServiceErrorCode } from './error-codes.ts';

/** Accept codes that you do not know, because codes can be added. */
export type ErrorCode =
  | ServiceErrorCode
  | 'connection_failed'
  | 'timed_out'
  | 'unexpected_response'
  | 'export_damaged'
  | 'seal_mismatch'
  | 'webhook_not_verified'
  | 'invalid_argument'
  | (string & {});

/** `detail` says what to send instead. */
export interface ParameterFault {
  parameter: string;
  code: ErrorCode;
  detail: string;
}

export interface Problem {
  status: number;
  code: ErrorCode;
  title: string;
  detail: string;
  helpUrl: string | null;
  requestId: string | null;
  target: string;
  faults: readonly ParameterFault[];
  /** Milliseconds, from Retry-After. */
  retryAfterMs: number | null;
  /** The path and query that continue the collection; null unless the code is cursor_expired. */
  resume: string | null;
  /** The number of the account's last change; null unless the code is sequence_ahead or history_changed. */
  headSequence: number | null;
  /** The number up to which changes are archived; null unless the code is changes_archived. */
  floorSequence: number | null;
  /** The problem document of the response, or an empty object if the response has none. */
  document: Readonly<Record<string, unknown>>;
}

/** The base class of all errors of this client. An aborted call rejects with its signal's reason instead. */
export abstract class TransactionsError extends Error {
  readonly code: ErrorCode;
  /** The id of the request in the service's log; null if the error does not belong to one request. */
  readonly requestId: string | null;
  /** True if the same call can succeed later. The client has already used its retries. */
  readonly retryable: boolean = false;

  constructor(code: ErrorCode, message: string, requestId: string | null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.requestId = requestId;
  }
}

/** The service refused the request or failed to answer. */
export abstract class ProblemError extends TransactionsError {
  /** The message contains these texts. If they were public fields, a printed error would show them twice. */
  readonly #texts: Pick<Problem, 'detail' | 'faults'>;
  readonly status: number;
  readonly title: string;
  readonly helpUrl: string | null;
  readonly retryAfterMs: number | null;

  constructor(problem: Problem) {
    const { status, code, title, detail, helpUrl, requestId, target, faults, retryAfterMs } = problem;
    const details = [
      detail,
      ...(faults.length > 1 ? faults.map((fault) => `${fault.parameter}: ${fault.detail}`) : []),
    ];
    super(
      code,
      `${details.join(' ')} (${code}, ${target}${requestId === null ? '' : `, request ${requestId}`})`,
      requestId,
    );
    this.status = status;
    this.title = title;
    this.helpUrl = helpUrl;
    this.retryAfterMs = retryAfterMs;
    this.#texts = { detail, faults };
  }

  get detail(): string {
    return this.#texts.detail;
  }

  get faults(): readonly ParameterFault[] {
    return this.#texts.faults;
  }

  /** Returns every field except the message. */
  toJSON(): object {
    return { ...this, ...this.#texts };
  }
}

/** 400 and other refusals: the request is wrong, and `faults` lists each wrong parameter. */
export class InvalidRequestError extends ProblemError {
  override readonly name: string = 'InvalidRequestError';
}

/** 400 cursor_expired: the cursor that you passed has expired. A TransactionList renews its own cursor. */
export class CursorExpiredError extends InvalidRequestError {
  override readonly name = 'CursorExpiredError';
  /** The path and query that continue the list at the same place. */
  readonly resume: string | null;
  /** The new cursor in `resume`. */
  readonly cursor: string | null;

  constructor(problem: Problem) {
    super(problem);
    this.resume = problem.resume;
    this.cursor = new URLSearchParams(problem.resume?.split('?')[1]).get('cursor');
  }
}

/** 400 cursor_malformed: the cursor was altered, or belongs to another account. */
export class CursorMalformedError extends InvalidRequestError {
  override readonly name = 'CursorMalformedError';
}

/** The caller's position is not in the history of the account. */
export abstract class LostPositionError extends InvalidRequestError {
  /** The number of the account's last change; null if the response has no field `headSequence`. */
  readonly headSequence: number | null;
  /** The number up to which changes are archived; null unless this is a ChangesArchivedError. */
  readonly floorSequence: number | null;

  constructor(problem: Problem) {
    super(problem);
    this.headSequence = problem.headSequence;
    this.floorSequence = problem.floorSequence;
  }
}

/** 400 sequence_ahead: `after` is larger than the number of the last change. A copy must start again. */
export class SequenceAheadError extends LostPositionError {
  override readonly name = 'SequenceAheadError';
}

/**
 * 409 history_changed: the service lost the change whose number is `after` and whose id is `afterId`, because
 * the database was restored from a backup. A copy must go back to the last change that the service also has.
 */
export class HistoryChangedError extends LostPositionError {
  override readonly name = 'HistoryChangedError';
}

/**
 * 410 changes_archived: `after` is smaller than `floorSequence`, because the operator archived old
 * transactions with their changes. A copy must start again: take an export, and follow from the export's
 * `asOf` and `asOfId`.
 */
export class ChangesArchivedError extends LostPositionError {
  override readonly name = 'ChangesArchivedError';
}

/** 401: the API key is missing, unknown, revoked or expired. */
export class AuthenticationError extends ProblemError {
  override readonly name = 'AuthenticationError';
}

/** 403: the key is valid, but lacks the scope that the message names. */
export class PermissionDeniedError extends ProblemError {
  override readonly name = 'PermissionDeniedError';
}

/** 404: the account has no such transaction, export or endpoint. */
export class NotFoundError extends ProblemError {
  override readonly name = 'NotFoundError';
}

/** 429: the key exceeded its rate limit, or the account has too many exports, tests, waits or endpoints. */
export class RateLimitedError extends ProblemError {
  override readonly name = 'RateLimitedError';
  // Waiting does not help an account that has too many endpoints.
  override readonly retryable: boolean = this.code !== 'too_many_webhooks';
}

/** 408 and 5xx: the service or a proxy in front of it could not answer. */
export class ServiceError extends ProblemError {
  override readonly name = 'ServiceError';
  // Waiting does not change a 501 or 505.
  override readonly retryable: boolean = this.status !== 501 && this.status !== 505;
}

/** The service could not be reached, or the connection was lost before the response was complete. */
export class ConnectionError extends TransactionsError {
  override readonly name = 'ConnectionError';
  /** False if, before any response, the host is unknown or TLS fails. The url is then probably wrong. */
  override readonly retryable: boolean;

  constructor(message: string, requestId: string, cause: unknown, retryable = true) {
    super('connection_failed', message, requestId, cause);
    this.retryable = retryable;
  }
}

/** The response was not complete within the time limit. */
export class RequestTimeoutError extends TransactionsError {
  override readonly name = 'RequestTimeoutError';
  override readonly retryable = true;

  constructor(
    origin: string,
    timeoutMs: number,
    { target, requestId }: { target: string; requestId: string },
  ) {
    const message = `${origin} did not answer within ${timeoutMs} ms (${target}, request ${requestId}).`;
    super('timed_out', message, requestId);
  }
}

/** The response is not from this service (but for example from a proxy), or a page of the feed has a gap. */
export class UnexpectedResponseError extends TransactionsError {
  override readonly name = 'UnexpectedResponseError';

  constructor(message: string, requestId: string | null) {
    super('unexpected_response', message, requestId);
  }
}

export interface SealedPosition {
  after: number;
  afterId?: string;
  seal: string;
}

/**
 * The service's seal does not match the changes that were read, because a value was altered in the database.
 * The altered change is one of the changes from `agreedSequence` + 1 to `sequence`. If the feed began at a
 * saved position, the altered change can also be before that position.
 */
export class SealMismatchError extends TransactionsError {
  override readonly name = 'SealMismatchError';
  /** The change whose seal differs. */
  readonly sequence: number;
  /** The last change at which the seals agreed, or the `after` at which the feed began. */
  readonly agreedSequence: number;
  /** The position at `agreedSequence`. Continue there once the altered values are restored. */
  readonly agreed: SealedPosition;

  constructor(sequence: number, computed: string, seal: string, agreed: SealedPosition) {
    const found = `At change ${sequence}, the seal of the changes that were read is ${computed}, and the seal of the service is ${seal}`;
    super(
      'seal_mismatch',
      `${found}: this change or an earlier one was altered. The last seal that agreed is that of change ${agreed.after}.`,
      null,
    );
    this.sequence = sequence;
    this.agreedSequence = agreed.after;
    this.agreed = agreed;
  }
}

/** The received rows differ from the rows that the service exported. The message names the difference. */
export class ExportDamagedError extends TransactionsError {
  override readonly name = 'ExportDamagedError';

  constructor(differences: string, requestId: string | null) {
    super('export_damaged', `The export differs from its manifest: ${differences}.`, requestId);
  }
}

/** The signature of the request is wrong, or the request is too old. Do not trust the request. */
export class WebhookVerificationError extends TransactionsError {
  override readonly name = 'WebhookVerificationError';

  constructor(message: string) {
    super('webhook_not_verified', message, null);
  }
}

/** An argument of the call is wrong, and nothing was sent. */
export class ArgumentError extends TransactionsError {
  override readonly name = 'ArgumentError';

  constructor(message: string) {
    super('invalid_argument', message, null);
  }
}

export function problemError(problem: Problem): ProblemError {
  const { status, code } = problem;
  if (code === 'cursor_expired') return new CursorExpiredError(problem);
  if (code === 'cursor_malformed') return new CursorMalformedError(problem);
  if (code === 'sequence_ahead') return new SequenceAheadError(problem);
  if (code === 'history_changed') return new HistoryChangedError(problem);
  if (code === 'changes_archived') return new ChangesArchivedError(problem);
  if (status === 401) return new AuthenticationError(problem);
  if (status === 403) return new PermissionDeniedError(problem);
  if (status === 404) return new NotFoundError(problem);
  if (status === 429) return new RateLimitedError(problem);
  if (status === 408 || status >= 500) return new ServiceError(problem);
  return new InvalidRequestError(problem);
}
