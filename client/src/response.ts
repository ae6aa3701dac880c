import {
  type ParameterFault,
  type Problem,
  type ProblemError,
  problemError,
  UnexpectedResponseError,
} from './errors.ts';
import { FIELDS, type Transaction, type TransactionPage } from './transaction.ts';

export interface HttpResponse {
  status: number;
  headers: { get(name: string): string | null };
  text: string;
  requestId: string;
  target: string;
}

export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
export const isSequence = (value: unknown): value is number => Number.isSafeInteger(value);
export const isCount = (value: unknown): value is number => isSequence(value) && value >= 0;
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTextOrNull = (value: unknown) => value === null || isText(value);
export const hasArchivedBefore = ({ archivedBefore }: { archivedBefore?: unknown }): boolean =>
  archivedBefore === undefined || isText(archivedBefore);
const textOr = <Absent>(value: unknown, absent: Absent) => (isText(value) ? value : absent);

export function isJson({ headers }: HttpResponse): boolean {
  return /^application\/(problem\+)?json\b/i.test(headers.get('content-type') ?? '');
}

export const notOurs = (
  expected: string,
  { target, requestId }: Pick<HttpResponse, 'target' | 'requestId'>,
) =>
  new UnexpectedResponseError(
    `The response is not ${expected} (${target}, request ${requestId}).`,
    requestId,
  );

export function errorFrom(
  response: HttpResponse,
  url: string,
  nowMs: number,
  toError: (problem: Problem) => ProblemError = problemError,
): ProblemError {
  const { status, headers, requestId, target } = response;
  const document = problemDocument(response);
  // At an https port, many servers answer an http request with a text that contains "HTTPS".
  const needsTls =
    status === 400 && url.startsWith('http:') && !isJson(response) && /\bHTTPS\b/.test(response.text);
  const type = textOr(document['type'], null);
  const title = textOr(document['title'], `HTTP ${status}`);
  const faults = Array.isArray(document['errors']) ? document['errors'].filter(isParameterFault) : [];
  return toError({
    status,
    title,
    code: textOr(document['code'], `http_${status}`),
    detail: needsTls
      ? 'This address speaks https: begin the url with https://.'
      : textOr(document['detail'], `The response has status ${status} and gives no reason.`),
    helpUrl: type === null ? null : webUrl(type, url),
    requestId: textOr(document['requestId'], requestId),
    target,
    faults,
    retryAfterMs: retryAfterMs(headers, nowMs),
    resume: textOr(document['resume'], null),
    headSequence: isSequence(document['headSequence']) ? document['headSequence'] : null,
    floorSequence: isSequence(document['floorSequence']) ? document['floorSequence'] : null,
    document,
  });
}

function problemDocument(response: HttpResponse): Fields {
  try {
    const document: unknown = isJson(response) ? JSON.parse(response.text) : {};
    return isObject(document) ? document : {};
  } catch {
    // The body of a proxy's response can be anything.
    return {};
  }
}

function isParameterFault(fault: unknown): fault is ParameterFault {
  return isObject(fault) && isText(fault['parameter']) && isText(fault['code']) && isText(fault['detail']);
}

/** Returns only HTTP URLs, because a `javascript:` URL would run when a user follows it. */
function webUrl(type: string, base: string): string | null {
  try {
    const { href, protocol } = new URL(type, base);
    return protocol === 'https:' || protocol === 'http:' ? href : null;
  } catch {
    return null;
  }
}

/** Source: RFC 9110, section 10.2.3. */
function retryAfterMs(headers: HttpResponse['headers'], nowMs: number): number | null {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // The wait is counted from the response's Date, because this device's clock can be wrong.
  const sentAtMs = Date.parse(headers.get('date') ?? '') || nowMs;
  const waitMs = Date.parse(text) - sentAtMs;
  return Number.isNaN(waitMs) ? null : Math.max(waitMs, 0);
}

/** Checks every transaction, because callers add up the amounts. */
export function isPage(value: unknown): value is TransactionPage {
  if (!isObject(value) || !Array.isArray(value['data']) || !value['data'].every(isTransaction)) return false;
  const { data, nextCursor, hasMore } = value;
  if (!hasArchivedBefore(value)) return false;
  return hasMore === true ? isText(nextCursor) && data.length > 0 : hasMore === false && nextCursor === null;
}

export function isTransaction(value: unknown): value is Transaction {
  return (
    isObject(value) &&
    Object.entries(FIELDS).every(([name, kind]) => {
      const found = value[name];
      if (isText(found)) return kind !== 'details';
      if (found === null) return kind === 'text or null';
      if (found === undefined) return !kind.startsWith('text');
      return kind === 'details' && isObject(found) && Object.values(found).every(isText);
    })
  );
}
