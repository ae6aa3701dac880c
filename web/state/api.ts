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
import { fetchKey } from '../../client/src/key.ts';
import { jsonBody } from '../../client/src/request.ts';
import { requestBody } from '../../client/src/request-body.ts';
import { isObject, isText } from '../../client/src/response.ts';
import { fetchSearchPage, type SearchPage, type SearchQuery } from '../../client/src/search.ts';
import { createSend, type Send } from '../../client/src/send.ts';
import { fetchTotals, type Totals, type TotalsQuery } from '../../client/src/totals.ts';
import type { PageQuery, Transaction, TransactionPage } from '../../client/src/transaction.ts';
import { fetchRelatedPage } from '../../client/src/transaction-changes.ts';
import type { Failure, FailureKind } from './failure.ts';
import type { Session } from './session.ts';

export type { Totals, TotalsRow } from '../../client/src/totals.ts';
export type { Transaction, TransactionPage } from '../../client/src/transaction.ts';

/** What the page requests from the service that served it. These requests fail soon, because the user waits for them. */
export interface Api {
  page(query: PageQuery, signal?: AbortSignal): Promise<TransactionPage>;
  search(query: SearchQuery & { cursor?: string }, signal: AbortSignal): Promise<SearchPage>;
  retrieve(reference: string, signal: AbortSignal): Promise<Transaction>;
  /** A page of those whose relatedTo is a reference. */
  related(reference: string, cursor: string | null, signal: AbortSignal): Promise<TransactionPage>;
  totals(query: TotalsQuery, signal?: AbortSignal): Promise<Totals>;
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
    related: (reference, cursor, signal) => fetchRelatedPage(send, '/v1', reference, cursor, { signal }),
    totals: (query, signal) => fetchTotals(send, '/v1', query, { signal }),
  };
}

/**
 * The user of a key.
 *
 * Throws: ArgumentError if a header cannot contain the key.
 */
export const openKey = (key: string): Promise<Session> =>
  opened(key, async (send) => ({ key, ...(await fetchKey(send, {})) }));

/** Exchanges the code of a link for a session. It is sent once: nobody knows whether a request without a response has used it. */
export const openCode = (code: string): Promise<Session> => {
  const call = {
    method: 'POST',
    path: '/v1/session',
    body: jsonBody({ code }),
    isRepeatable: false,
  } as const;
  return opened(null, (send) => requestBody(send, call, { what: 'a session', is: isOpened }, {}));
};

type Opened = Pick<Session, 'key' | 'account' | 'person' | 'scopes' | 'expiresAt'>;

const isOpened = (value: unknown): value is Opened & { expiresAt: string } =>
  isObject(value) &&
  ['key', 'account', 'person', 'expiresAt'].every((name) => isText(value[name])) &&
  Array.isArray(value['scopes']);

/** Date has whole seconds: the page ends a little before the service refuses the key, rather than after. */
const DATE_MS = 1000;

async function opened(apiKey: string | null, request: (send: Send) => Promise<Opened>): Promise<Session> {
  // The end by the clock of this device: many are minutes off, or hours with a wrong time zone.
  let aheadMs = 0;
  const settings = sendSettings({
    url: location.origin,
    apiKey: apiKey ?? 'none',
    maxRetries: 1,
    maxRetryAfterMs: 2000,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const dateMs = Date.parse(response.headers.get('date') ?? '');
      aheadMs = Number.isNaN(dateMs) ? 0 : Date.now() - dateMs - DATE_MS;
      return response;
    },
  });
  const { key, account, person, scopes, expiresAt } = await request(createSend({ ...settings, apiKey }));
  const endsAtMs = expiresAt === null ? null : Date.parse(expiresAt) + aheadMs;
  const id = String(crypto.getRandomValues(new Uint32Array(2)).join(''));
  return { key, account, person, scopes, expiresAt, endsAtMs, id };
}

/** Ends a session on the service, also if the user closes the tab meanwhile. A session that is refused has ended. */
export async function endSession(key: string): Promise<void> {
  const send = createSend(
    sendSettings({
      url: location.origin,
      apiKey: key,
      fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
    }),
  );
  await send({ method: 'DELETE', path: '/v1/session' }, {}).catch((error) => {
    if (!(error instanceof AuthenticationError)) throw error;
  });
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
