import { WRITING_PROBLEMS } from '../../ledger/record/http/writing-problems.ts';
import { WEBHOOK_PROBLEMS } from '../../webhooks/http/webhook-problems.ts';
import type { ProblemKind } from './problem-kind.ts';

/** Every error that the service responds with, by its code. */
export const PROBLEMS = {
  ...WRITING_PROBLEMS,
  invalid_request: {
    status: 400,
    title: 'The request is invalid',
    cause: 'Several parameters are not valid, or the request is not valid HTTP.',
    solution:
      'errors lists each fault with its parameter, its code and what to send instead. It lists at most 20; detail says how many more there are.',
  },
  invalid_status: {
    status: 400,
    title: 'The status is not recognised',
    cause: 'status is not one of the statuses of this service. It must match one exactly, in lower case.',
    solution: 'Use pending, completed, or another status that detail lists.',
  },
  invalid_currency: {
    status: 400,
    title: 'The currency is not valid',
    cause: 'currency is not an active ISO 4217 code in capital letters.',
    solution: 'Send three capital letters, for example EUR. Withdrawn codes are refused.',
  },
  invalid_date: {
    status: 400,
    title: 'The date is not valid',
    cause: 'from or to is not a real day of the calendar in the form YYYY-MM-DD.',
    solution: 'Send the day only, for example 2026-03-31. Days are UTC days; both bounds are inclusive.',
  },
  date_range_inverted: {
    status: 400,
    title: 'The date range is inverted',
    cause: 'from is after to.',
    solution: 'Send the earlier day as from. If both are the same day, the range is that whole day.',
  },
  date_range_too_long: {
    status: 400,
    title: 'The date range is too long',
    cause: 'to is more than 90 days after from.',
    solution:
      'Request at most 90 days at a time. detail has the latest to for your from; start the next range one day later.',
  },
  invalid_merchant_reference: {
    status: 400,
    title: 'The merchantReference is not valid',
    cause:
      'merchantReference is empty, longer than 255 characters, or contains a character that no merchantReference can contain.',
    solution:
      'Send the whole merchantReference as it was recorded, percent-encoded. The match is exact: a part of it finds nothing.',
  },
  cursor_malformed: {
    status: 400,
    title: 'The cursor is malformed',
    cause: 'The cursor was not issued by this service for this account, or was altered or cut.',
    solution:
      'Send nextCursor unchanged, with a key of the same account. To start from the first page, omit cursor.',
  },
  cursor_expired: {
    status: 400,
    title: 'The cursor has expired',
    cause: 'A cursor is valid until the time in the Cursor-Expires header of the page that it came with.',
    solution:
      'Send the request in resume. It has a fresh cursor, which continues the list after the last transaction that you have, with the same filters: nothing is left out or repeated.',
  },
  cursor_filter_mismatch: {
    status: 400,
    title: 'A filter contradicts the cursor',
    cause: 'A filter that was sent with the cursor is not the one that the cursor was issued for.',
    solution:
      'Send the cursor alone, or with the same filters as in the first request. To start another list, omit cursor. A merchantReference that is too long for a cursor must be sent with it, as in the Link header.',
  },
  invalid_sequence: {
    status: 400,
    title: 'The sequence number is not valid',
    cause: 'after is not a whole number from 0, written in digits without leading zeros.',
    solution: 'Send lastSequence of the page before, or 0 to begin with the first change of the account.',
  },
  invalid_account: {
    status: 400,
    title: 'The account is not valid',
    cause: 'after is not 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-".',
    solution: 'Send the last account of the page before, or omit after to begin with the first account.',
  },
  invalid_limit: {
    status: 400,
    title: 'The limit is not valid',
    cause: 'limit is not a whole number from 1 to 1000.',
    solution: 'Send a limit from 1 to 1000, or omit it to get up to 100.',
  },
  invalid_wait: {
    status: 400,
    title: 'The time to wait is not valid',
    cause: 'wait is not a whole number of seconds from 0 to 30.',
    solution:
      'Send at most wait=30. If the response has no changes, send the same request again: it misses nothing.',
  },
  invalid_by: {
    status: 400,
    title: 'The period is not valid',
    cause: 'by is not a period by which totals are split. The only one is day.',
    solution: 'Send by=day for the totals of each UTC day, or omit by for the totals of all days.',
  },
  invalid_spreadsheet: {
    status: 400,
    title: 'The value of spreadsheet is not valid',
    cause: 'spreadsheet is neither true nor false.',
    solution:
      'Send spreadsheet=true for a file that is opened in a spreadsheet. Omit it for a file that a program reads.',
  },
  invalid_resume: {
    status: 400,
    title: 'The export cannot be resumed',
    cause:
      'resume is not the id of an export of this account, the export began more than 24 hours ago, or another request has just taken it up.',
    solution: 'Send the Export-Id of the response that was cut. Omit resume and after to begin a new export.',
  },
  invalid_after: {
    status: 400,
    title: 'The reference to continue after is not valid',
    cause: 'after is not the reference of a transaction of the export, or is sent without resume.',
    solution:
      'Send the reference of the last whole row that you have, together with resume. Omit after to get all rows again.',
  },
  export_mismatch: {
    status: 400,
    title: 'A parameter contradicts the export',
    cause:
      'A filter, the format or spreadsheet was sent with resume, and is not the one of the export that is resumed.',
    solution:
      'Send resume and after alone, or with the same parameters as before. For other filters, begin a new export.',
  },
  sequence_ahead: {
    status: 400,
    title: 'The sequence number is ahead of the account',
    cause:
      'after is larger than the number of the last change of the account. The service was probably restored from a backup, and has lost changes that you have.',
    solution:
      'Begin again with an empty copy and after=0. The change feed has every change of the account, from number 1. Do not continue from a smaller number: the copy can differ below it, too.',
  },
  unknown_parameter: {
    status: 400,
    title: 'A parameter is unknown',
    cause:
      'The query has a parameter that this operation does not have. It is refused, because ignoring a filter would return the wrong list.',
    solution:
      'To list transactions, use status, currency, from, to, merchantReference and cursor. The page size is fixed at 10. To list changes, use after, limit and wait. For totals, use status, currency, from, to and by. For an export, use the filters of the list, spreadsheet (CSV only), resume and after.',
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
  insufficient_scope: {
    status: 403,
    title: 'The API key does not allow this',
    cause:
      "The key is valid, but does not have the scope that the operation needs, or it is an operator's key for the accounts with another prefix.",
    solution:
      'detail and the header WWW-Authenticate name the scope. Use a key that has it, or ask the operator for one: the scopes of a key cannot be changed.',
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
    cause: 'The headers of the request are larger than 8 KiB in total.',
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
  too_many_exports: {
    status: 429,
    title: 'Too many exports',
    cause:
      'The account already runs two exports on this instance of the service, or has begun 5,000 exports in the last 24 hours.',
    solution:
      'Wait until one of them has ended, and send the request again. To end one, close its connection. After 5,000 exports in 24 hours, wait for the number of seconds in Retry-After.',
  },
  ...WEBHOOK_PROBLEMS,
  internal_error: {
    status: 500,
    title: 'The service failed',
    cause: 'The fault is in the service, not in the request.',
    solution:
      'Try again later. If the error persists, send the requestId to the operator, who finds the cause in the log.',
  },
  export_failed: {
    status: 500,
    title: 'The export failed',
    cause:
      'What the service read for the export does not add up to the totals of the account. Its database is damaged, so the export can never be completed.',
    solution:
      'Do not send the request again. Tell the operator, who finds the place with transactions verify. Once the database is mended, begin a new export.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    cause:
      'The database does not answer, the service is overloaded, the request was not answered in time, or an upgrade still numbers the transactions that totals contain. No data was read.',
    solution:
      'Send the same request again after the number of seconds in Retry-After. A transaction may have been recorded or not; repeating the request is safe.',
  },
} satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;
