import { explainAmount } from '../../values/amount.ts';
import {
  AUTHORIZED,
  CHANGES,
  example,
  faults,
  faulty,
  LIST,
  refused,
  TRANSACTION,
  twice,
} from './problem-example.ts';
import { defineProblems } from './problem-kind.ts';

const TOO_PRECISE = explainAmount('12.505');
const MISSPELT = {
  parameter: 'curency',
  code: 'unknown_parameter',
  detail:
    '"curency" is not a parameter: did you mean currency? The parameters are status, currency, from, to, timeZone, merchantReference, cursor.',
};
const TOO_LONG =
  'to (2026-09-01) is 243 days after from (2026-01-01); at most 90 are allowed in a list, and any number in totals and in an export (transactions.csv, transactions.ndjson). With from=2026-01-01, to can be at most 2026-04-01.';

/** The errors that operations of several capabilities have. Those of one capability are in its folder. */
export const PROBLEMS = defineProblems({
  invalid_request: {
    status: 400,
    title: 'The request is invalid',
    cause: 'Several parameters are not valid, or the request is not valid HTTP.',
    solution:
      'errors lists each fault with its parameter, its code and what to send instead. It lists at most 20; detail says how many more there are.',
    example: faults(LIST, 'curency=EUR&from=2026-01-01&to=2026-09-01', MISSPELT, {
      parameter: 'to',
      code: 'date_range_too_long',
      detail: TOO_LONG,
    }),
  },
  invalid_limit: {
    status: 400,
    title: 'The limit is not valid',
    cause: 'limit is not a whole number from 1 to 1000.',
    solution: 'Send a limit from 1 to 1000, or omit it to get up to 100.',
    example: faulty(
      'limit=5000',
      'limit',
      'limit can be at most 1000. Send limit=1000, and lastSequence as after for more.',
      {},
      CHANGES,
    ),
  },
  unknown_parameter: {
    status: 400,
    title: 'A parameter is unknown',
    cause:
      'The query has a parameter that this operation does not have. It is refused, because ignoring a filter would return the wrong list.',
    solution: 'Omit it, or send what detail names instead. The page size is fixed at 10.',
    example: faulty(
      'limit=50',
      'limit',
      'The page size is fixed at 10: omit limit, and follow nextCursor for more.',
    ),
  },
  duplicate_parameter: {
    status: 400,
    title: 'A parameter is sent twice',
    cause: 'The query has the same parameter more than once.',
    solution: 'Send each parameter once. One request filters by one status and one currency.',
    example: twice(LIST, 'status', 'pending', 'completed'),
  },
  missing_api_key: {
    status: 401,
    title: 'The API key is missing',
    cause: 'The request has no Authorization header with the scheme Bearer.',
    solution: 'Send the header Authorization: Bearer <API key>.',
    example: example(
      { headers: {} },
      'The request has no API key. Send the header Authorization: Bearer <API key>.',
      { headers: { 'WWW-Authenticate': 'Bearer realm="transactions"' } },
    ),
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is not valid',
    cause: 'The key is misspelt, unknown, revoked or expired. The response does not say which.',
    solution:
      'Check that the whole key was sent: 44 characters that begin with tk_live_. Otherwise, ask the operator for a new key.',
    example: example(
      { headers: { Authorization: 'Bearer tk_live_cut-short' } },
      'The API key is not valid. Check that it was sent whole, or ask the operator for a new one.',
      { headers: { 'WWW-Authenticate': 'Bearer realm="transactions", error="invalid_token"' } },
    ),
  },
  insecure_transport: {
    status: 403,
    title: 'The request came without TLS',
    cause:
      'The request was sent over http, as the proxy in front of the service says, so its key could be read on the way.',
    solution:
      'Send the request to the address that begins with https://. Replace the key, whether it is valid or not: the response does not say.',
    example: example(
      { headers: { ...AUTHORIZED, 'X-Forwarded-Proto': 'http' } },
      'The request reached the service over http, without TLS. Send it to the https address. Others could read the key that it had: replace that key.',
      { given: 'The request comes from a proxy of TRUSTED_PROXIES, which adds X-Forwarded-Proto.' },
    ),
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key does not allow this',
    cause:
      "The key is valid, but does not have the scope that the operation needs, or it is an operator's key for the accounts with another prefix.",
    solution:
      'detail and the header WWW-Authenticate name the scope. Use a key that has it, or ask the operator for one: the scopes of a key cannot be changed. The platform opens another session.',
    example: example(
      {},
      'This operation needs a key with the scope read. This key has webhooks. Ask the operator for another one.',
      {
        given: 'The key has the scope webhooks only.',
        headers: {
          'WWW-Authenticate': 'Bearer realm="transactions", error="insufficient_scope", scope="read"',
        },
      },
    ),
  },
  not_found: {
    status: 404,
    title: 'Not found',
    cause: 'There is no resource at this path.',
    solution:
      'Check the path against the reference at /docs. Paths are case-sensitive and have no trailing slash.',
    example: example(
      { target: `${LIST}/tx_999999` },
      'No transaction of this account has this reference. A number of your own is a merchantReference: request /v1/transactions?merchantReference= with it.',
    ),
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed',
    cause: 'The path exists, but not for this method.',
    solution: 'Use a method that the Allow header lists.',
    example: example(
      { method: 'DELETE' },
      '"/v1/transactions" takes GET, HEAD, not DELETE. A recorded transaction is never edited or deleted, and a refund is a transaction of its own with relatedTo. The platform records them, on the listener of the operator.',
      {
        headers: { Allow: 'GET, HEAD' },
      },
    ),
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    cause: 'The request did not arrive completely within the time limit.',
    solution: 'Send the whole request again, without pauses.',
    example: example({}, 'The request was not complete in time.', {
      given: 'The caller pauses for more than ten seconds before it has sent all headers.',
    }),
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    cause: 'The body of the request is larger than the operation accepts.',
    solution:
      'To list, send the filters in the query and no body. The body of an operation that takes one has at most 16 KiB. To record many, send them to the batch endpoint, which has no limit.',
    example: example(
      { headers: { ...AUTHORIZED, 'Content-Length': '20000' }, body: 'x'.repeat(20_000) },
      'The body has more than 16,384 bytes, the most that this operation takes.',
    ),
  },
  uri_too_long: {
    status: 414,
    title: 'The URL is too long',
    cause: 'The path and the query together are longer than 4096 characters.',
    solution: 'No valid request is that long. Check how the query is built.',
    example: example(
      { target: `${LIST}?cursor=${'A'.repeat(5000)}` },
      'The address has 5024 characters; at most 4096 are read.',
    ),
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cause:
      'The headers of the request, with its first line, are larger than the service reads: 16 KiB in all, unless the operator has set HEADERS_MAX_BYTES.',
    solution: 'Send fewer or smaller headers. Only Authorization is required.',
    example: example(
      { headers: { ...AUTHORIZED, Cookie: `session=${'x'.repeat(17_000)}` } },
      'The headers, with the first line of the request, are larger than 16384 bytes in all. Send fewer or smaller headers, such as cookies. The operator of the service can raise HEADERS_MAX_BYTES.',
    ),
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause:
      'The key has exceeded its rate limit, or the address has sent too many requests without a valid key.',
    solution:
      'Wait for the number of seconds in Retry-After. RateLimit-Policy has the limit, and RateLimit what is left of it.',
    example: example(
      {},
      'This API key may send 1000 requests a second, and 2000 at once after a pause. Try again in 1 s.',
      {
        given: 'The key has just sent 2000 requests.',
        headers: {
          'Retry-After': '1',
          'RateLimit-Policy': '"key";q=2000;w=2',
          RateLimit: '"key";r=0;t=1',
        },
      },
    ),
  },
  internal_error: {
    status: 500,
    title: 'The service failed',
    cause: 'The fault is in the service, not in the request.',
    solution:
      'Try again later. If the error persists, send the requestId to the operator, who finds the cause in the log.',
    example: example({}, 'The service failed to answer. The log holds the cause under the requestId.', {
      given: 'The service fails unexpectedly.',
    }),
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    cause:
      'The database does not answer, the service is overloaded or stopping, or the request was not answered in time. No data was read.',
    solution:
      'Send the same request again after the number of seconds in Retry-After. A transaction may have been recorded or not; repeating the request is safe.',
    example: example({}, "The database can't answer now. Try again in 1 s.", {
      given: 'The database is down.',
      headers: { 'Retry-After': '1' },
    }),
  },
  invalid_body: {
    status: 400,
    title: 'The body is not valid',
    cause: 'The body is missing, or is not a JSON object.',
    solution: 'Send one JSON object in UTF-8.',
    example: refused(
      { body: JSON.stringify([TRANSACTION], null, 2) },
      'The body is JSON, but not an object. Send each of its items as a request, or transactions to /v1/batch of the operator.',
    ),
  },
  invalid_fields: {
    status: 422,
    title: 'A field is not valid',
    cause: 'One or more fields of the body, or parameters of the path, are not valid.',
    solution:
      'errors lists each fault with a JSON pointer to its field, its code and what to send instead. It lists at most 20; detail says how many more there are. Nothing was recorded or changed.',
    example: refused(
      { body: JSON.stringify({ ...TRANSACTION, amount: '12.505' }, null, 2) },
      `/amount ${TOO_PRECISE}.`,
      { errors: [{ pointer: '/amount', code: 'invalid_value', detail: TOO_PRECISE }] },
    ),
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    cause: 'The operation does not accept a body of this type.',
    solution:
      'Send application/json, or application/x-ndjson to the batch endpoint, and name the type in Content-Type.',
    example: refused(
      {
        headers: { ...AUTHORIZED, 'Content-Type': 'text/csv' },
        body: 'order-1014,completed,12.50,EUR',
      },
      'This operation takes application/json, and the request has the Content-Type "text/csv". Send the body as application/json, and the header Content-Type: application/json.',
    ),
  },
});
