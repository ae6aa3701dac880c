import { type ParameterFault, type ProblemError, problemError, UnexpectedResponseError } from './errors.ts';
import { TRANSACTION_FIELDS, type Transaction, type TransactionPage } from './transaction.ts';

/** An answer with its whole body. */
export interface Answer {
  status: number;
  headers: { get(name: string): string | null };
  text: string;
  requestId: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const textOr = <Absent>(value: unknown, absent: Absent) => (isText(value) ? value : absent);

export function isJson({ headers }: Answer): boolean {
  return /^application\/(problem\+)?json\b/i.test(headers.get('content-type') ?? '');
}

/** The error that an answer tells, in the service's words where it has any. */
export function errorOf(answer: Answer, url: string, nowMs: number): ProblemError {
  const { status, headers, requestId } = answer;
  const document = documentOf(answer);
  const type = textOr(document['type'], null);
  const title = textOr(document['title'], `HTTP ${status}`);
  const faults = Array.isArray(document['errors']) ? document['errors'].filter(isParameterFault) : [];
  return problemError({
    status,
    title,
    code: textOr(document['code'], `http_${status}`),
    detail: textOr(
      document['detail'],
      `The request was answered with status ${status}, and without a reason.`,
    ),
    helpUrl: type === null ? null : urlOf(type, url),
    requestId: textOr(document['requestId'], headers.get('request-id') ?? requestId),
    faults,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), nowMs),
    resume: textOr(document['resume'], null),
  });
}

function documentOf(answer: Answer): Fields {
  try {
    const document: unknown = isJson(answer) ? JSON.parse(answer.text) : {};
    return isObject(document) ? document : {};
  } catch {
    // The status alone has to do: a proxy's body can be anything.
    return {};
  }
}

function isParameterFault(fault: unknown): fault is ParameterFault {
  return isObject(fault) && isText(fault['parameter']) && isText(fault['code']) && isText(fault['detail']);
}

/** A script's address never becomes one that somebody follows. */
function urlOf(type: string, base: string): string | null {
  try {
    const { href, protocol } = new URL(type, base);
    return protocol === 'https:' || protocol === 'http:' ? href : null;
  } catch {
    return null;
  }
}

/** Seconds or an HTTP date. Source: RFC 9110, section 10.2.3. */
function retryAfterMs(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(atMs - nowMs, 0);
}

/**
 * A page, looked at field by field: what is counted as money should not be guessed.
 *
 * Throws: UnexpectedResponseError
 */
export function readPage(body: unknown, requestId: string): TransactionPage {
  if (isObject(body) && Array.isArray(body['data']) && body['data'].every(isTransaction)) {
    const { nextCursor, hasMore } = body;
    if (hasMore === false && nextCursor === null) return body as unknown as TransactionPage;
    if (hasMore === true && isText(nextCursor) && body['data'].length > 0)
      return body as unknown as TransactionPage;
  }
  throw new UnexpectedResponseError(
    `The answer is no page of transactions (request ${requestId}).`,
    requestId,
  );
}

/** Throws: UnexpectedResponseError */
export function readTransaction(body: unknown, requestId: string): Transaction {
  if (isTransaction(body)) return body;
  throw new UnexpectedResponseError(`The answer is no transaction (request ${requestId}).`, requestId);
}

function isTransaction(value: unknown): value is Transaction {
  return (
    isObject(value) &&
    Object.entries(TRANSACTION_FIELDS).every(
      ([name, type]) => isText(value[name]) || (type === 'text or null' && value[name] === null),
    )
  );
}
