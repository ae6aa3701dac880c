import {
  AuthenticationError,
  ConnectionError,
  CursorExpiredError,
  CursorMalformedError,
  NotFoundError,
  ProblemError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  TransactionsClient,
  TransactionsError,
} from '../../client/src/index.ts';
import type { Failure, FailureKind } from './failure.ts';

export type { Transaction, TransactionPage } from '../../client/src/index.ts';

type Transactions = TransactionsClient['transactions'];

/** The ways of the page to the service that served it. */
export interface Api {
  /** For what somebody waits for in front of the screen: it soon says that it can not be had. */
  transactions: Transactions;
  /** For a file of many pages, which outlasts short troubles and limits of rate. */
  patient: Transactions;
}

/** Throws: an error of the client where no request could carry the key. */
export function connect(apiKey: string): Api {
  const address = { url: location.origin, apiKey };
  return {
    transactions: new TransactionsClient({ ...address, maxRetries: 1, maxRetryAfterMs: 2000 }).transactions,
    patient: new TransactionsClient({ ...address, maxRetries: 6 }).transactions,
  };
}

/** What the page tells of an error of the client. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ProblemError) return failureOfProblem(error);
  // What never left this device names nothing in the service's log.
  const requestId = error instanceof TransactionsError && navigator.onLine ? error.requestId : null;
  return { ...failureOfConnection(error), ...(requestId !== null && { requestId }) };
}

/** Of a service that is away for a moment, or of a gateway before it. */
const AWAY = new Set([408, 502, 503, 504]);

function kindOf(error: ProblemError): FailureKind {
  if (error instanceof AuthenticationError) return 'signed-out';
  if (error instanceof CursorExpiredError || error instanceof CursorMalformedError) return 'cursor';
  if (error instanceof NotFoundError) return 'not-found';
  if (error instanceof RateLimitedError || AWAY.has(error.status)) return 'busy';
  return error instanceof ServiceError ? 'service' : 'refused';
}

function failureOfProblem(error: ProblemError): Failure {
  const { title, detail, code, requestId, faults, retryAfterMs } = error;
  return {
    kind: kindOf(error),
    title,
    detail,
    // A proxy's answer has no code of the service, and so no page that explains it.
    ...(!code.startsWith('http_') && { code }),
    ...(requestId !== null && { requestId }),
    ...(faults.length > 1 && { faults }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...(error instanceof CursorExpiredError && error.resume !== null && { resume: error.resume }),
  };
}

function failureOfConnection(error: unknown): Failure {
  if (error instanceof TimeoutError) {
    return {
      kind: 'busy',
      title: 'The service did not answer in time',
      detail: 'Nothing was changed and nothing is lost.',
    };
  }
  if (error instanceof ConnectionError) {
    return {
      kind: 'unreachable',
      title: navigator.onLine ? 'The service can not be reached' : 'This device is offline',
      detail: 'Nothing was changed and nothing is lost.',
    };
  }
  return {
    kind: 'service',
    title: 'The answer could not be read',
    detail: error instanceof Error ? error.message : 'The answer is none of this service.',
  };
}
