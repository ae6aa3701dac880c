import { ACCOUNT_FAULT_EXAMPLES } from '../../../accounts/http/account-fault-examples.ts';
import { sequenceAhead } from '../../../ledger/changes/list-changes.ts';
import { EXPORT_FAULT_EXAMPLES } from '../../../ledger/exports/http/export-fault-examples.ts';
import {
  EXAMPLE_CURSOR,
  EXAMPLE_RESUME,
  EXAMPLE_TRANSACTIONS,
} from '../../../ledger/http/transaction-examples.ts';
import { RECORDING_PROBLEM_EXAMPLES } from '../../../ledger/record/http/recording-problem-examples.ts';
import { WEBHOOK_LIMIT_EXAMPLES } from '../../../webhooks/http/webhook-problem-examples.ts';
import type { ProblemCode } from '../../problems/problems.ts';
import {
  AUTHORIZED,
  CHANGES,
  example,
  faulty,
  LIST,
  type ProblemExample,
  TOTALS,
} from './problem-example.ts';

const MISSPELT = {
  parameter: 'curency',
  code: 'unknown_parameter',
  detail:
    '"curency" is not a parameter: did you mean currency? The parameters are status, currency, from, to, merchantReference, cursor.',
};
const TOO_LONG =
  'The range from 2026-01-01 to 2026-09-01 is 243 days long; at most 90 are allowed. With from=2026-01-01, to can be at most 2026-04-01.';

/** An example of each error. A code without one does not compile. */
export const PROBLEM_EXAMPLES: Readonly<Record<ProblemCode, ProblemExample>> = {
  invalid_request: example(
    'invalid_request',
    { target: `${LIST}?curency=EUR&from=2026-01-01&to=2026-09-01` },
    'The request has 2 faults: see errors.',
    { errors: [MISSPELT, { parameter: 'to', code: 'date_range_too_long', detail: TOO_LONG }] },
  ),
  invalid_status: faulty(
    'invalid_status',
    'status=paid',
    'status',
    '"paid" is not a recognised status. Recognised: pending, completed.',
  ),
  invalid_currency: faulty(
    'invalid_currency',
    'currency=eur',
    'currency',
    '"eur" is not a currency code: did you mean EUR?',
  ),
  invalid_date: faulty(
    'invalid_date',
    'from=2026-02-30',
    'from',
    '2026-02-30 does not exist in the calendar. Write a date as YYYY-MM-DD, for example 2026-03-31.',
  ),
  date_range_inverted: faulty(
    'date_range_inverted',
    'from=2026-03-31&to=2026-03-01',
    'from',
    'from (2026-03-31) is after to (2026-03-01). Send the earlier day as from.',
  ),
  date_range_too_long: faulty('date_range_too_long', 'from=2026-01-01&to=2026-09-01', 'to', TOO_LONG),
  invalid_merchant_reference: faulty(
    'invalid_merchant_reference',
    'merchantReference=',
    'merchantReference',
    'merchantReference is empty. Send one as it was recorded, or omit it to list all transactions.',
  ),
  cursor_malformed: faulty(
    'cursor_malformed',
    `cursor=${EXAMPLE_CURSOR.slice(0, -4)}`,
    'cursor',
    'The cursor was not issued by this service for this account, or was altered. Send nextCursor unchanged, or omit cursor to start from the first page.',
    { given: 'The last four characters of the cursor are missing.' },
  ),
  cursor_expired: faulty(
    'cursor_expired',
    `cursor=${EXAMPLE_CURSOR}`,
    'cursor',
    'The cursor expired at 2026-06-16T12:00:00.000Z. Send the request in resume until 2026-06-17T12:00:00.000Z: it has a fresh cursor, which continues the list at the same place, with the same filters.',
    { resume: EXAMPLE_RESUME, given: 'The page with this cursor is more than a day old.' },
  ),
  cursor_filter_mismatch: faulty(
    'cursor_filter_mismatch',
    `cursor=${EXAMPLE_CURSOR}&status=pending`,
    'status',
    'The cursor belongs to a list with another status. Send the cursor alone, or omit it to start a new list.',
    { given: 'The cursor was issued for the list of status=completed.' },
  ),
  invalid_sequence: faulty(
    'invalid_sequence',
    'after=tx_000012',
    'after',
    '"tx_000012" is not a sequence number. Send the lastSequence of the page before, or 0 for the first change.',
    {},
    CHANGES,
  ),
  invalid_limit: faulty(
    'invalid_limit',
    'limit=5000',
    'limit',
    'limit can be at most 1000. Send limit=1000, and lastSequence as after for more.',
    {},
    CHANGES,
  ),
  invalid_wait: faulty(
    'invalid_wait',
    'after=3&wait=60',
    'wait',
    'wait can be at most 30 seconds. Send wait=30, and the same request again if there was no change.',
    {},
    CHANGES,
  ),
  invalid_by: faulty(
    'invalid_by',
    'by=month',
    'by',
    '"month" is not a period by which totals are split. Send by=day, or omit by to add all days up.',
    {},
    TOTALS,
  ),
  ...ACCOUNT_FAULT_EXAMPLES,
  ...EXPORT_FAULT_EXAMPLES,
  sequence_ahead: faulty(
    'sequence_ahead',
    'after=20',
    'after',
    sequenceAhead(20, EXAMPLE_TRANSACTIONS.length).detail,
    { headSequence: EXAMPLE_TRANSACTIONS.length, given: 'The account has 13 changes.' },
    CHANGES,
  ),
  unknown_parameter: faulty(
    'unknown_parameter',
    'limit=50',
    'limit',
    'The page size is fixed at 10: omit limit, and follow nextCursor for more.',
  ),
  duplicate_parameter: faulty(
    'duplicate_parameter',
    'status=pending&status=completed',
    'status',
    'status is sent more than once. Send it once.',
  ),
  missing_api_key: example(
    'missing_api_key',
    { headers: {} },
    'The request has no API key. Send the header Authorization: Bearer <API key>.',
    { headers: { 'WWW-Authenticate': 'Bearer realm="transactions"' } },
  ),
  invalid_api_key: example(
    'invalid_api_key',
    { headers: { Authorization: 'Bearer tk_live_cut-short' } },
    'The API key is not valid. Check that it was sent whole, or ask the operator for a new one.',
    { headers: { 'WWW-Authenticate': 'Bearer realm="transactions", error="invalid_token"' } },
  ),
  insufficient_scope: example(
    'insufficient_scope',
    {},
    'This operation needs a key with the scope read. This key has webhooks. Ask the operator for another one.',
    {
      given: 'The key has the scope webhooks only.',
      headers: {
        'WWW-Authenticate': 'Bearer realm="transactions", error="insufficient_scope", scope="read"',
      },
    },
  ),
  not_found: example(
    'not_found',
    { target: `${LIST}/tx_999999` },
    'No transaction of this account has this reference.',
  ),
  method_not_allowed: example(
    'method_not_allowed',
    { method: 'DELETE' },
    '"/v1/transactions" takes GET, HEAD, not DELETE.',
    { headers: { Allow: 'GET, HEAD' } },
  ),
  request_timeout: example('request_timeout', {}, 'The request was not complete in time.', {
    given: 'The caller pauses for more than ten seconds before it has sent all headers.',
  }),
  payload_too_large: example(
    'payload_too_large',
    { headers: { ...AUTHORIZED, 'Content-Length': '20000' }, body: 'x'.repeat(20_000) },
    'The body is larger than this operation takes.',
  ),
  uri_too_long: example(
    'uri_too_long',
    { target: `${LIST}?cursor=${'A'.repeat(5000)}` },
    'The address has 5024 characters; at most 4096 are read.',
  ),
  headers_too_large: example(
    'headers_too_large',
    { headers: { ...AUTHORIZED, Cookie: `session=${'x'.repeat(9000)}` } },
    'The headers are larger than 8192 bytes in all.',
  ),
  rate_limited: example(
    'rate_limited',
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
  ...RECORDING_PROBLEM_EXAMPLES,
  ...WEBHOOK_LIMIT_EXAMPLES,
  internal_error: example(
    'internal_error',
    {},
    'The service failed to answer. The log holds the cause under the requestId.',
    { given: 'The service fails unexpectedly.' },
  ),
  unavailable: example('unavailable', {}, "The database can't answer now. Try again in 1 s.", {
    given: 'The database is down.',
    headers: { 'Retry-After': '1' },
  }),
};
