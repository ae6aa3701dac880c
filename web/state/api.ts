import { sendSettings } from '../../client/src/client-options.ts';
import {
  AuthenticationError,
  ConnectionError,
  CursorExpiredError,
  CursorMalformedError,
  NotFoundError,
  ProblemError,
  RateLimitedError,
  RequestTimeoutError,
  ServiceError,
  TransactionsError,
} from '../../client/src/errors.ts';
import { fetchPage, fetchTransaction } from '../../client/src/fetch-transactions.ts';
import { fetchKey, type Key } from '../../client/src/key.ts';
import { fetchSearchPage, type SearchPage, type SearchQuery } from '../../client/src/search.ts';
import { createSend } from '../../client/src/send.ts';
import { fetchTotals, type Totals, type TotalsQuery } from '../../client/src/totals.ts';
import type { PageQuery, Transaction, TransactionPage } from '../../client/src/transaction.ts';
import type { Failure, FailureKind } from './failure.ts';

export type { Totals, TotalsRow } from '../../client/src/totals.ts';
export type { Transaction, TransactionPage } from '../../client/src/transaction.ts';

/** What the page requests from the service that served it. These requests fail soon, because the user waits for them. */
export interface Api {
  page(query: PageQuery, signal?: AbortSignal): Promise<TransactionPage>;
  search(query: SearchQuery & { cursor?: string }, signal: AbortSignal): Promise<SearchPage>;
  retrieve(reference: string, signal: AbortSignal): Promise<Transaction>;
  totals(query: TotalsQuery, signal?: AbortSignal): Promise<Totals>;
  key(): Promise<Key>;
}

/** Throws: ArgumentError if a header cannot contain the key. */
export function connect(apiKey: string): Api {
  const send = createSend(
    sendSettings({ url: location.origin, apiKey, maxRetries: 1, maxRetryAfterMs: 2000 }),
  );
  return {
    page: (query, signal) => fetchPage(send, '/v1', query, { signal }),
    search: (query, signal) => fetchSearchPage(send, '/v1', query, { signal }),
    retrieve: (reference, signal) => fetchTransaction(send, '/v1', reference, { signal }),
    totals: (query, signal) => fetchTotals(send, '/v1', query, { signal }),
    key: () => fetchKey(send, {}),
  };
}

/** What the page shows for an error of the client. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ProblemError) return failureOfProblem(error);
  // A request that never left this device is not in the service's log.
  const requestId = error instanceof TransactionsError && navigator.onLine ? error.requestId : null;
  return { ...failureOfConnection(error), ...(requestId !== null && { requestId }) };
}

/** Statuses of a service that is unavailable for a short time, or of a gateway before it. */
const UNAVAILABLE = new Set([408, 502, 503, 504]);

function kindOf(error: ProblemError): FailureKind {
  if (error instanceof AuthenticationError) return 'signed-out';
  if (error instanceof CursorExpiredError || error instanceof CursorMalformedError) return 'cursor';
  if (error instanceof NotFoundError) return 'not-found';
  if (error instanceof RateLimitedError || UNAVAILABLE.has(error.status)) return 'busy';
  return error instanceof ServiceError ? 'service' : 'refused';
}

function failureOfProblem(error: ProblemError): Failure {
  const { title, detail, code, requestId, faults, retryAfterMs } = error;
  return {
    kind: kindOf(error),
    title,
    detail,
    // A proxy's response has no code of the service, so no page explains it.
    ...(!code.startsWith('http_') && { code }),
    ...(requestId !== null && { requestId }),
    ...(faults.length > 0 && { faults }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...(error instanceof CursorExpiredError && error.cursor !== null && { freshCursor: error.cursor }),
  };
}

function failureOfConnection(error: unknown): Failure {
  if (error instanceof RequestTimeoutError) {
    return {
      kind: 'busy',
      title: 'The service did not answer in time',
      detail: 'The service may be busy.',
    };
  }
  if (error instanceof ConnectionError) {
    return {
      kind: 'unreachable',
      ...(navigator.onLine
        ? {
            title: 'The service cannot be reached',
            detail: 'Check your network connection. If other websites work, the service may be restarting.',
          }
        : { title: 'This device is offline', detail: 'Check the network connection of this device.' }),
    };
  }
  return {
    kind: 'service',
    title: 'The response could not be read',
    detail: error instanceof Error ? error.message : 'The response did not come from this service.',
  };
}
