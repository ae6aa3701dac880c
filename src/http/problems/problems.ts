import type { ListFaultCode } from '../../core/list/list-filter.ts';

export type ProblemCode =
  | ListFaultCode
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
  | 'invalid_body'
  | 'invalid_fields'
  | 'unsupported_media_type'
  | 'transaction_conflict'
  | 'idempotency_key_missing'
  | 'idempotency_key_reused'
  | 'internal_error'
  | 'unavailable';

/** What an error code means. The error pages, the documents and every answer are made of these. */
export interface ProblemKind {
  status: number;
  title: string;
  cause: string;
  cure: string;
}

/** Every error that the service answers with. A code without an entry does not compile. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  invalid_request: {
    status: 400,
    title: 'The request is invalid',
    cause: 'Several parameters are wrong, or the request is not well-formed HTTP.',
    cure: 'Each fault is in errors with its parameter, its own code and what would be right. At most 20 are listed; detail says how many more there are.',
  },
  invalid_status: {
    status: 400,
    title: 'The status is not recognised',
    cause: 'status is none of the statuses of this service. The match is exact and lower-case.',
    cure: 'Use one that the detail names: pending, completed, or one that the operator has declared.',
  },
  invalid_currency: {
    status: 400,
    title: 'The currency is not valid',
    cause: 'currency is not a code of the active ISO 4217 list in capitals.',
    cure: 'Write three capital letters, for example EUR. Withdrawn codes are refused.',
  },
  invalid_date: {
    status: 400,
    title: 'The date is not valid',
    cause: 'from or to is not a real day of the calendar in the form YYYY-MM-DD.',
    cure: 'Write the day alone, for example 2026-03-31. Days are UTC days; both bounds are inclusive.',
  },
  date_range_inverted: {
    status: 400,
    title: 'The date range is inverted',
    cause: 'from is after to.',
    cure: 'Send the earlier day as from. The same day twice means that one whole day.',
  },
  date_range_too_long: {
    status: 400,
    title: 'The date range is too long',
    cause: 'to is more than 90 days after from.',
    cure: 'Ask for at most 90 days at a time. The detail names the largest to for your from; the next range begins a day later.',
  },
  invalid_merchant_reference: {
    status: 400,
    title: 'The merchantReference is not valid',
    cause: 'merchantReference is empty, longer than 255 characters, or holds what no transaction can have.',
    cure: 'Write the whole merchantReference as it was recorded, percent-encoded. The match is exact; a part of it finds nothing.',
  },
  cursor_malformed: {
    status: 400,
    title: 'The cursor is malformed',
    cause: 'The cursor was not made by this service for this account, or was altered or cut on its way.',
    cure: 'Send nextCursor exactly as it came, with a key of the same account. To begin again, leave cursor out.',
  },
  cursor_expired: {
    status: 400,
    title: 'The cursor has expired',
    cause: 'A cursor may be used until the time in the Cursor-Expires header of the page that it came with.',
    cure: 'Follow resume: the same list from the UTC day of the last transaction seen. Skip the references that you have already. Where the detail says that from is left out, stop at the day that it names.',
  },
  cursor_filter_mismatch: {
    status: 400,
    title: 'A filter contradicts the cursor',
    cause: 'A filter beside the cursor is not the one that the cursor carries.',
    cure: 'Send the cursor alone, or with the very filters of the first request. For another list, leave cursor out.',
  },
  unknown_parameter: {
    status: 400,
    title: 'A parameter is unknown',
    cause:
      'The query holds a parameter that this operation does not have. It is refused, because an ignored filter would return the wrong list.',
    cure: 'Use status, currency, from, to, merchantReference and cursor. The page size is fixed at 10.',
  },
  duplicate_parameter: {
    status: 400,
    title: 'A parameter is given twice',
    cause: 'The query holds the same parameter more than once.',
    cure: 'Give each parameter once. One request filters by one status and one currency.',
  },
  missing_api_key: {
    status: 401,
    title: 'The API key is missing',
    cause: 'The request carries no Authorization header of the scheme Bearer.',
    cure: 'Send the header Authorization: Bearer <API key>.',
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is not valid',
    cause: 'The key is misspelt, unknown, revoked or expired. The response does not say which.',
    cure: 'Check that the whole key was sent, 44 characters beginning with tk_live_, or ask the operator for a new one.',
  },
  not_found: {
    status: 404,
    title: 'Nothing is here',
    cause: 'There is no resource at this path.',
    cure: 'Check the path against the reference at /docs. Paths are case-sensitive and have no trailing slash.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed',
    cause: 'The path exists, but not for this method.',
    cure: 'Use a method that the Allow header names.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    cause: 'The request was not complete in time.',
    cure: 'Send it again, whole and at once.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    cause: 'The request carries a larger body than the operation takes.',
    cure: 'Reading takes no body: put the filters into the query. A transaction to be recorded has at most 16 KiB; a stream of them goes to the batch, and has no limit.',
  },
  uri_too_long: {
    status: 414,
    title: 'The address is too long',
    cause: 'Path and query together are longer than 4096 characters.',
    cure: 'No valid request is that long: check how the query is built.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cause: 'The headers of the request are larger than 8 KiB in all.',
    cure: 'Send fewer or smaller headers: Authorization is the only one that is needed.',
  },
  invalid_body: {
    status: 400,
    title: 'The body can not be read',
    cause: 'The body is not a JSON object.',
    cure: 'Send one JSON object in UTF-8.',
  },
  invalid_fields: {
    status: 422,
    title: 'A field is wrong',
    cause: 'One or more fields of the body can not be taken as they are.',
    cure: 'Each fault is in errors with a JSON pointer to its field and what would be right. At most 20 are listed; detail says how many more there are. Nothing was recorded.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    cause: 'The body is of a type that the operation does not take.',
    cure: 'Send application/json, and to the batch application/x-ndjson, and say so in Content-Type.',
  },
  transaction_conflict: {
    status: 409,
    title: 'The transaction contradicts what is recorded',
    cause:
      'A transaction with this reference is recorded with other values. Only a pending one may change: its status and its time of payment, once.',
    cure: 'Each field that differs stands in differences with both values. Correct it, or use another reference.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The idempotency key is missing',
    cause:
      'A transaction whose reference the service assigns needs the header Idempotency-Key, so that it can be sent again.',
    cure: 'Send Idempotency-Key with 1 to 255 visible ASCII characters, another one for each transaction.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key was used for something else',
    cause: 'Another transaction of this account was recorded under this key.',
    cure: 'Use a new key for a new transaction. To repeat a request, send the very same fields.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cause: 'The key has sent more requests than it may, or the address too many without a usable key.',
    cure: 'Wait as many seconds as Retry-After says. The headers RateLimit-Policy and RateLimit give the limit and what is left of it.',
  },
  internal_error: {
    status: 500,
    title: 'The service failed',
    cause: 'A fault of the service, not of the request.',
    cure: 'Try again later. If it stays, tell the operator the requestId: the log holds the cause under it.',
  },
  unavailable: {
    status: 503,
    title: 'The service is unavailable for the moment',
    cause:
      'The database can not answer now, the service has more requests in flight than it can answer in time, or the request was not answered in time. Nothing was read, so nothing is shown.',
    cure: 'Send the same request again after the seconds that Retry-After tells. A recording may have been made or not: the same again is safe.',
  },
};
