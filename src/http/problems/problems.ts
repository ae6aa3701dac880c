import { defineProblems } from './problem-kind.ts';

/** The errors that operations of several capabilities have. Those of one capability are in its folder. */
export const PROBLEMS = defineProblems({
  invalid_request: {
    status: 400,
    title: 'The request is invalid',
    cause: 'Several parameters are not valid, or the request is not valid HTTP.',
    solution:
      'errors lists each fault with its parameter, its code and what to send instead. It lists at most 20; detail says how many more there are.',
  },
  invalid_limit: {
    status: 400,
    title: 'The limit is not valid',
    cause: 'limit is not a whole number from 1 to 1000.',
    solution: 'Send a limit from 1 to 1000, or omit it to get up to 100.',
  },
  unknown_parameter: {
    status: 400,
    title: 'A parameter is unknown',
    cause:
      'The query has a parameter that this operation does not have. It is refused, because ignoring a filter would return the wrong list.',
    solution: 'Omit it, or send what detail names instead. The page size is fixed at 10.',
  },
  duplicate_parameter: {
    status: 400,
    title: 'A parameter is sent twice',
    cause: 'The query has the same parameter more than once.',
    solution: 'Send each parameter once. One request filters by one status and one currency.',
  },
  missing_api_key: {
    status: 401,
    title: 'The API key is missing',
    cause: 'The request has no Authorization header with the scheme Bearer.',
    solution: 'Send the header Authorization: Bearer <API key>.',
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is not valid',
    cause: 'The key is misspelt, unknown, revoked or expired. The response does not say which.',
    solution:
      'Check that the whole key was sent: 44 characters that begin with tk_live_. Otherwise, ask the operator for a new key.',
  },
  insecure_transport: {
    status: 403,
    title: 'The request came without TLS',
    cause:
      'The request was sent over http, as the proxy in front of the service says, so its key could be read on the way.',
    solution:
      'Send the request to the address that begins with https://. Replace the key, whether it is valid or not: the response does not say.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key does not allow this',
    cause:
      "The key is valid, but does not have the scope that the operation needs, or it is an operator's key for the accounts with another prefix.",
    solution:
      'detail and the header WWW-Authenticate name the scope. Use a key that has it, or ask the operator for one: the scopes of a key cannot be changed. The platform opens another session.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    cause: 'There is no resource at this path.',
    solution:
      'Check the path against the reference at /docs. Paths are case-sensitive and have no trailing slash.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed',
    cause: 'The path exists, but not for this method.',
    solution: 'Use a method that the Allow header lists.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    cause: 'The request did not arrive completely within the time limit.',
    solution: 'Send the whole request again, without pauses.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    cause: 'The body of the request is larger than the operation accepts.',
    solution:
      'To list, send the filters in the query and no body. The body of an operation that takes one has at most 16 KiB. To record many, send them to the batch endpoint, which has no limit.',
  },
  uri_too_long: {
    status: 414,
    title: 'The URL is too long',
    cause: 'The path and the query together are longer than 4096 characters.',
    solution: 'No valid request is that long. Check how the query is built.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cause:
      'The headers of the request, with its first line, are larger than the service reads: 16 KiB in all, unless the operator has set HEADERS_MAX_BYTES.',
    solution: 'Send fewer or smaller headers. Only Authorization is required.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause:
      'The key has exceeded its rate limit, or the address has sent too many requests without a valid key.',
    solution:
      'Wait for the number of seconds in Retry-After. RateLimit-Policy has the limit, and RateLimit what is left of it.',
  },
  internal_error: {
    status: 500,
    title: 'The service failed',
    cause: 'The fault is in the service, not in the request.',
    solution:
      'Try again later. If the error persists, send the requestId to the operator, who finds the cause in the log.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    cause:
      'The database does not answer, the service is overloaded or stopping, or the request was not answered in time. No data was read.',
    solution:
      'Send the same request again after the number of seconds in Retry-After. A transaction may have been recorded or not; repeating the request is safe.',
  },
  invalid_body: {
    status: 400,
    title: 'The body is not valid',
    cause: 'The body is missing, or is not a JSON object.',
    solution: 'Send one JSON object in UTF-8.',
  },
  invalid_fields: {
    status: 422,
    title: 'A field is not valid',
    cause: 'One or more fields of the body, or parameters of the path, are not valid.',
    solution:
      'errors lists each fault with a JSON pointer to its field, its code and what to send instead. It lists at most 20; detail says how many more there are. Nothing was recorded or changed.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    cause: 'The operation does not accept a body of this type.',
    solution:
      'Send application/json, or application/x-ndjson to the batch endpoint, and name the type in Content-Type.',
  },
});
