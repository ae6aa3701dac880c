import type { Change } from '../../client/src/change.ts';
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
import {
  fetchPage,
  fetchRelatedPage,
  fetchTransaction,
  fetchTransactionChanges,
} from '../../client/src/fetch-transactions.ts';
import { fetchKey } from '../../client/src/key.ts';
import { jsonBody } from '../../client/src/request.ts';
import { requestBody } from '../../client/src/request-body.ts';
import { isObject, isText } from '../../client/src/response.ts';
import { fetchSearchPage, type SearchPage, type SearchQuery } from '../../client/src/search.ts';
import { createSend, type Send } from '../../client/src/send.ts';
import { fetchTotals, type Totals, type TotalsQuery } from '../../client/src/totals.ts';
import type { PageQuery, Transaction, TransactionPage } from '../../client/src/transaction.ts';
import { texts } from '../text/language.ts';
import { aheadMs, INEXACT_MS } from './clock.ts';
import type { Failure, FailureKind } from './failure.ts';
import { ScriptFailed } from './load-script.ts';
import type { Session } from './session.ts';
import { SOON, settingsOf } from './settings.ts';

export type { Totals, TotalsRow } from '../../client/src/totals.ts';
export type { Transaction, TransactionPage } from '../../client/src/transaction.ts';

export interface Api {
  page(query: PageQuery, signal?: AbortSignal): Promise<TransactionPage>;
  search(query: SearchQuery & { cursor?: string }, signal: AbortSignal): Promise<SearchPage>;
  retrieve(reference: string, signal: AbortSignal): Promise<Transaction>;
  changes(reference: string, signal: AbortSignal): Promise<Change[]>;
  related(reference: string, cursor: string | null, signal: AbortSignal): Promise<TransactionPage>;
  totals(query: TotalsQuery, signal?: AbortSignal): Promise<Totals>;
}

export function connect(apiKey: string, retries: Parameters<typeof settingsOf>[1] = SOON): Api {
  const send = createSend(settingsOf(apiKey, retries));
  return {
    page: (query, signal) => fetchPage(send, '/v1', query, { signal }),
    search: (query, signal) => fetchSearchPage(send, '/v1', query, { signal }),
    retrieve: (reference, signal) => fetchTransaction(send, '/v1', reference, { signal }),
    changes: (reference, signal) => fetchTransactionChanges(send, '/v1', reference, { signal }),
    related: (reference, cursor, signal) => fetchRelatedPage(send, '/v1', reference, cursor, { signal }),
    totals: (query, signal) => fetchTotals(send, '/v1', query, { signal }),
  };
}

export function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof NotFoundError) return undefined;
  throw error;
}

export const openKey = (key: string): Promise<Session> =>
  opened(key, async (send) => ({ key, ...(await fetchKey(send, {})) }));

/** This request is sent only once. After a lost response, nobody knows whether the code was used. */
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

async function opened(apiKey: string | null, request: (send: Send) => Promise<Opened>): Promise<Session> {
  const settings = settingsOf('', SOON);
  const { key, account, person, scopes, expiresAt } = await request(createSend({ ...settings, apiKey }));
  // INEXACT_MS is subtracted, so that the page ends the session before the service refuses the key.
  const endsAtMs = expiresAt === null ? null : Date.parse(expiresAt) + aheadMs.value - INEXACT_MS;
  const id = String(crypto.getRandomValues(new Uint32Array(2)).join(''));
  return { key, account, person, scopes, expiresAt, endsAtMs, id };
}

export async function endSession(key: string): Promise<void> {
  const send = createSend(
    settingsOf(key, { fetch: (url, init) => fetch(url, { ...init, keepalive: true }) }),
  );
  await send({ method: 'DELETE', path: '/v1/session' }, {}).catch((error) => {
    if (!(error instanceof AuthenticationError)) throw error;
  });
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ProblemError) return failureOfProblem(error);
  if (error instanceof ScriptFailed) return { kind: 'script', ...texts.$partFailed };
  // If a request did not arrive, the service's log does not have its id.
  const requestId =
    error instanceof TransactionsError && !(error instanceof ConnectionError) ? error.requestId : null;
  return { ...failureOfConnection(error), ...(requestId !== null && { requestId }) };
}

/** A service that is briefly unavailable sends these statuses, and so does a gateway in front of it. */
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
    ...texts.$problems.get(code),
    // `code` becomes a link to a page of the service. Codes of the client, such as `http_502`, have no page.
    ...(!code.startsWith('http_') && { code }),
    ...(requestId !== null && { requestId }),
    ...(faults.length > 0 && {
      faults: faults.map((fault) => ({ ...fault, ...texts.$problems.get(fault.code) })),
    }),
    ...(retryAfterMs !== null && { retryAfterMs }),
  };
}

function failureOfConnection(error: unknown): Failure {
  if (error instanceof RequestTimeoutError) return { kind: 'busy', ...texts.$timedOut };
  if (error instanceof ConnectionError)
    return { kind: 'unreachable', ...(navigator.onLine ? texts.$unreachable : texts.$offline) };
  return {
    kind: 'service',
    ...texts.$unreadable,
    ...(error instanceof Error && { detail: error.message }),
  };
}
