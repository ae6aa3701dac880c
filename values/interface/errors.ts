interface ErrorText {
  status: number;
  title: string;
  cause: string;
  solution: string;
}

export const COMMON_ERRORS = {
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
    solution: 'Omit it, or send what detail names instead.',
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
      'According to the proxy in front of the service, the request was sent over http. The key of the request could be read on the way.',
    solution:
      'Send the request to the address that begins with https://. Replace the key, whether it is valid or not: the response does not say.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key does not allow this',
    cause:
      "The key is valid, but does not have the scope that the operation needs, or it is an operator's key that is limited to accounts with another prefix.",
    solution:
      'detail and the header WWW-Authenticate name the scope. Use a key that has it, or ask the operator for one: the scopes of a key cannot be changed. For a session, ask the platform to open another one.',
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
      'To list, send the filters in the query and no body. An operation that takes a body accepts at most 16 KiB. To record many transactions, use the batch endpoint, which has no limit.',
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
      'The database does not answer, the service is overloaded or stopping, or the request was not answered in time.',
    solution:
      'Send the same request again after the number of seconds in Retry-After. If the request records transactions, they may be recorded already: repeating the request is safe.',
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
} as const satisfies Record<string, ErrorText>;

export const ERRORS = {
  ...COMMON_ERRORS,
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
    solution:
      'Send the day only, for example 2026-03-31. Both bounds are inclusive. Days are UTC days unless timeZone names another time zone.',
  },
  invalid_time_zone: {
    status: 400,
    title: 'The time zone is not valid',
    cause: 'timeZone is not a name of the IANA time zone database. Names are case-sensitive.',
    solution:
      'Send a name such as Europe/Berlin, or omit timeZone for UTC days. An offset such as +01:00 is not a time zone.',
  },
  date_range_too_long: {
    status: 400,
    title: 'The date range is too long',
    cause:
      'to is more than 90 days after from. Or totals by day or month of a time zone, or an export by days of paidAt, would have to read too many transactions.',
    solution:
      'Send a to that is at most 90 days after from. detail has the last day that to can be; start the next range one day later. Or take a search, an export, or totals, of any range. For totals of a time zone, send a shorter range, or omit timeZone. For an export by days of paidAt, send from and to, too.',
  },
  date_range_inverted: {
    status: 400,
    title: 'The date range is inverted',
    cause: 'from is after to.',
    solution: 'Send the earlier day as from. If both are the same day, the range is that whole day.',
  },
  invalid_merchant_reference: {
    status: 400,
    title: 'The merchantReference is not valid',
    cause:
      'merchantReference is empty, longer than 255 characters, or contains a character that no merchantReference can contain.',
    solution:
      'Send the whole merchantReference as it was recorded, percent-encoded. The match is exact: a part of the text finds nothing.',
  },
  cursor_filter_mismatch: {
    status: 400,
    title: 'A filter contradicts the cursor',
    cause: 'A filter that was sent with the cursor is not the one that the cursor was issued for.',
    solution:
      'Send the cursor alone, or with the same filters as in the first request. To start another list, omit cursor. A merchantReference that is too long for a cursor must be sent with it, as in the Link header.',
  },
  cursor_malformed: {
    status: 400,
    title: 'The cursor is malformed',
    cause:
      'The cursor was not issued by this service for this account and this collection, or was altered or cut.',
    solution:
      'Send nextCursor unchanged, to the same path, with a key of the same account. To start from the first page, omit cursor.',
  },
  cursor_expired: {
    status: 400,
    title: 'The cursor has expired',
    cause: 'A cursor is valid until the time in the Cursor-Expires header of the page that it came with.',
    solution:
      'Send the request in resume. It has a fresh cursor, which continues the collection after the last item that you have, with the same filters: nothing is left out or repeated.',
  },
  invalid_amount: {
    status: 400,
    title: 'The amount is not valid',
    cause: 'amount, amountFrom or amountTo is not a decimal number with at most two decimals.',
    solution: 'Send the amount with a point and two decimals, for example 49.90.',
  },
  amount_range_inverted: {
    status: 400,
    title: 'The range of amounts is inverted',
    cause: 'amountFrom is greater than amountTo.',
    solution:
      'Send the smaller amount as amountFrom. Of two negative amounts, that is the one with more digits: -20.00 is less than -10.00.',
  },
  invalid_text: {
    status: 400,
    title: 'The text is not valid',
    cause:
      'text has fewer than 3 characters (2 of Chinese, Japanese or Korean) or more than 64, or a character that no reference can contain.',
    solution:
      'Send at least 3, and at most 64, characters of the reference, the merchantReference or a value of details.',
  },
  missing_search_term: {
    status: 400,
    title: 'The search has no term',
    cause: 'The request has no search term, but only filters that a list also has.',
    solution:
      'Send at least one of amount, amountFrom, amountTo, text, paidFrom and paidTo. To filter without a search term, request the list.',
  },
  invalid_sequence: {
    status: 400,
    title: 'The sequence number is not valid',
    cause: 'after is not a whole number of at least 0, written in digits without leading zeros.',
    solution: 'Send lastSequence of the page before, or 0 to begin with the first change of the account.',
  },
  invalid_change_id: {
    status: 400,
    title: 'The id of the change is not valid',
    cause:
      'afterId is not the id of a change, such as chg_Zt7vJ2mXq0YtR5cQe1WbKd, or after is 0: there is no change 0.',
    solution:
      'Send lastId of the page before, or the id that your copy has for the change at after. Leave afterId out if after is 0.',
  },
  invalid_wait: {
    status: 400,
    title: 'The time to wait is not valid',
    cause: 'wait is not a whole number of seconds from 0 to 30.',
    solution:
      'Send at most wait=30. If the response has no changes, send the same request again: it misses nothing.',
  },
  history_changed: {
    status: 409,
    title: 'The history of the account has changed',
    cause:
      'The change at after has another id than afterId, or does not exist. Either your copy is of another account, or the service was restored from a backup: it has lost changes that you have, and may have given their numbers to other changes.',
    solution:
      'First check that the key is of the account of your copy. Then, by bisection, find the largest number at which your copy and the service have the same id. In your copy, undo the changes with larger numbers, the last one first: if previousStatus is null, remove the transaction; otherwise, set it to previousStatus. Continue after the number that you found, without afterId if that is 0. If your copy has no ids, begin again with an empty copy and after=0.',
  },
  changes_archived: {
    status: 410,
    title: 'The changes are archived',
    cause:
      'after is below floorSequence: the operator has archived old transactions of the account, and with them changes up to this number. The list, totals and exports contain the rest.',
    solution:
      'Begin again with an empty copy: take an export, and continue with its Export-As-Of as after, and its Export-As-Of-Id as afterId. The archived transactions are in the files of the operator.',
  },
  sequence_ahead: {
    status: 400,
    title: 'The sequence number is ahead of the account',
    cause:
      'after is larger than the number of the last change of the account. Either your copy is of another account, or the service was restored from a backup, and has lost changes that you have.',
    solution:
      'First check that the key is of the account of your copy. Then, if your copy has the ids of changes, send afterId too, and repair the copy as the response says. If not, begin again with an empty copy and after=0. Do not just continue from a smaller number: earlier changes of the copy can differ, too.',
  },
  too_many_waiting: {
    status: 429,
    title: 'Too many requests wait for changes',
    cause: 'The account already has 1,000 requests that wait for changes in this instance of the service.',
    solution:
      'One reader needs one such request at a time. Send the request without wait, or wait for the number of seconds in Retry-After.',
  },
  invalid_by: {
    status: 400,
    title: 'The period is not valid',
    cause: 'by is neither day nor month.',
    solution:
      'Send by=day for the totals of each day, by=month for those of each month, or omit by for the totals of all days.',
  },
  invalid_spreadsheet: {
    status: 400,
    title: 'The value of spreadsheet is not valid',
    cause: 'spreadsheet is neither true nor false.',
    solution:
      'Send spreadsheet=true for a file that is opened in a spreadsheet. Omit it for a file that a program reads.',
  },
  invalid_column: {
    status: 400,
    title: 'The parameter for a column is not valid',
    cause: 'relatedTo or recordedAt is neither true nor false.',
    solution:
      'Send relatedTo=true or recordedAt=true for an export with the column. Omit it for one without.',
  },
  invalid_details: {
    status: 400,
    title: 'The value of details is not valid',
    cause: 'details is not a list of different names of details, separated by commas.',
    solution: 'Send the names that become columns, such as details=customer,last4.',
  },
  too_many_exports: {
    status: 429,
    title: 'Too many exports',
    cause:
      'The account already runs two exports on this instance of the service, or has begun 5,000 exports in the last 24 hours.',
    solution:
      'Wait until one of them has ended, and send the request again. To end one, close its connection. After 5,000 exports in 24 hours, wait for the number of seconds in Retry-After.',
  },
  too_many_webhooks: {
    status: 429,
    title: 'The account has too many endpoints',
    cause: 'The account already has 20 endpoints, which is the maximum.',
    solution:
      'List the endpoints, and delete one that is not used, or change its URL. One endpoint gets changes of every type, so few are needed.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The idempotency key is missing or malformed',
    cause:
      'The request has no valid Idempotency-Key header. This header makes a request safe to repeat, and is required when the service assigns the reference of a transaction.',
    solution:
      'Send Idempotency-Key with 1 to 255 visible ASCII characters. Use a different key for each transaction and each endpoint.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key was already used',
    cause:
      'Another transaction of this account was recorded with this key, or another endpoint was created with it. That endpoint may have been deleted since.',
    solution:
      'Use a new key for something new. To repeat a request, send exactly the same fields: differences lists each field that differs from the first request with the key, with both values.',
  },
  too_many_tests: {
    status: 429,
    title: 'Too many test webhooks at once',
    cause:
      'The account already waits for the receivers of two test webhooks on this instance of the service.',
    solution: 'Wait until one of them has answered, at most 15 seconds, and send the request again.',
  },
  transaction_conflict: {
    status: 409,
    title: 'The transaction contradicts the recorded one',
    cause:
      'A transaction with this reference is already recorded with other values. Only a pending transaction can change: its status and paidAt, once.',
    solution:
      'differences lists each field that differs, with both values. Correct the fields, or use another reference.',
  },
  key_not_active: {
    status: 409,
    title: 'The key is not active',
    cause: 'The key is revoked or has expired. Only a key that is accepted can be rolled.',
    solution: 'Create a new key for the account.',
  },
  invalid_person: {
    status: 400,
    title: 'The person is not valid',
    cause:
      'The parameter person is missing, or not 1 to 128 visible characters, without a space at either end.',
    solution: 'Send person as it was sent when the session was created.',
  },
  invalid_code: {
    status: 401,
    title: 'The code is not valid',
    cause:
      'The code is misspelt, unknown, used or older than 60 seconds, or its session has ended. The response does not say which.',
    solution: 'Open the link again at the platform, which gets a new code.',
  },
  not_a_session: {
    status: 403,
    title: 'The key does not belong to a session',
    cause:
      'This operation ends the session of a key, but the key of the request is an ordinary key of the account.',
    solution: 'Ask the operator to revoke the key, with DELETE /v1/accounts/{account}/keys/{id}.',
  },
  foreign_origin: {
    status: 403,
    title: 'The request is from a page of another site',
    cause: 'A browser sent the request for a page of another site, as its Origin header says.',
    solution:
      'Let the assistant send its requests itself, without a web page. Of all web pages, only those of this service can send them.',
  },
} as const satisfies Record<string, ErrorText>;

export type ErrorCode = keyof typeof ERRORS;
