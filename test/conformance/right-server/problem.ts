/** A fault of one query parameter. */
export type Fault = { parameter: string; code: string; detail: string };

const TITLES: Record<string, [status: number, title: string]> = {
  invalid_request: [400, 'The request is not valid'],
  invalid_status: [400, 'The status is not recognized'],
  invalid_currency: [400, 'The currency is not valid'],
  invalid_date: [400, 'The date is not valid'],
  invalid_time_zone: [400, 'The time zone is not valid'],
  invalid_merchant_reference: [400, 'The merchantReference is not valid'],
  date_range_inverted: [400, 'The date range is inverted'],
  date_range_too_long: [400, 'The date range is too long'],
  cursor_malformed: [400, 'The cursor is malformed'],
  cursor_expired: [400, 'The cursor has expired'],
  cursor_filter_mismatch: [400, 'A filter differs from that of the cursor'],
  unknown_parameter: [400, 'The parameter is unknown'],
  duplicate_parameter: [400, 'The parameter is repeated'],
  invalid_amount: [400, 'The amount is not valid'],
  amount_range_inverted: [400, 'The range of amounts is inverted'],
  invalid_text: [400, 'The text is not valid'],
  missing_search_term: [400, 'The search has no term'],
  invalid_by: [400, 'The division of totals is not valid'],
  invalid_sequence: [400, 'The sequence number is not valid'],
  invalid_limit: [400, 'The limit is not valid'],
  invalid_wait: [400, 'The wait is not valid'],
  invalid_change_id: [400, 'The id of the change is not valid'],
  history_changed: [409, 'The history of the account has changed'],
  sequence_ahead: [400, 'The sequence number is beyond the last one'],
  invalid_resume: [400, 'The export cannot be resumed'],
  invalid_after: [400, 'The row is not in the export'],
  invalid_spreadsheet: [400, 'The choice of spreadsheet is not valid'],
  invalid_body: [400, 'The body is not a JSON object'],
  idempotency_key_missing: [400, 'The idempotency key is missing or malformed'],
  missing_api_key: [401, 'An API key is required'],
  invalid_api_key: [401, 'The API key is not valid'],
  insufficient_scope: [403, 'The API key does not allow this'],
  not_found: [404, 'There is no such resource'],
  method_not_allowed: [405, 'The method is not allowed'],
  request_timeout: [408, 'The request came too slowly'],
  transaction_conflict: [409, 'The transaction contradicts the recorded one'],
  key_not_active: [409, 'The key has ended'],
  idempotency_key_reused: [409, 'The idempotency key was used for another transaction'],
  body_too_large: [413, 'The body is too large'],
  uri_too_long: [414, 'The URL is too long'],
  unsupported_media_type: [415, 'The content type is not supported'],
  invalid_fields: [422, 'A field is not valid'],
  headers_too_large: [431, 'The header is too large'],
  too_many_webhooks: [429, 'The account has too many endpoints'],
  rate_limited: [429, 'There are too many requests'],
  internal_error: [500, 'The service has failed'],
  unavailable: [503, 'The service is not available'],
};

/** An error response of RFC 9457. `members` are further members of the document, `headers` further headers. */
export class Problem extends Error {
  readonly code: string;
  readonly members: object;
  readonly headers: Record<string, string>;

  constructor(code: string, detail: string, members: object = {}, headers: Record<string, string> = {}) {
    super(detail);
    this.code = code;
    this.members = members;
    this.headers = headers;
  }

  get status(): number {
    return explain(this.code)[0];
  }

  toDocument(requestId: string): object {
    const [status, title] = explain(this.code);
    const { code, message: detail } = this;
    return { type: `/errors/${code}`, title, status, detail, code, requestId, ...this.members };
  }
}

/** The status and title of an error code. */
export function explain(code: string): [status: number, title: string] {
  return TITLES[code] ?? [500, 'The service has failed'];
}

export function isCode(text: string): boolean {
  return Object.hasOwn(TITLES, text);
}

/** Reports all faults of a query at once. `members` are added to the document. */
export function refuse(faults: Fault[], members: object = {}): void {
  const [first] = faults;
  if (first === undefined) return;
  const parameters = new Set(faults.map(({ parameter }) => parameter));
  const code = parameters.size > 1 ? 'invalid_request' : first.code;
  throw new Problem(code, faults.map(({ detail }) => detail).join('; '), { errors: faults, ...members });
}
