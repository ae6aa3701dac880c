import { EXAMPLE_CURSOR, PAGE_PROBLEMS } from '../../../http/operations/page-problems.ts';
import { faulty } from '../../../http/problems/problem-example.ts';
import { defineProblems } from '../../../http/problems/problem-kind.ts';

const TOO_LONG =
  'The range from 2026-01-01 to 2026-09-01 is 243 days long; at most 90 are allowed. With from=2026-01-01, to can be at most 2026-04-01.';

const FILTER_PROBLEMS = defineProblems({
  invalid_status: {
    status: 400,
    title: 'The status is not recognised',
    cause: 'status is not one of the statuses of this service. It must match one exactly, in lower case.',
    solution: 'Use pending, completed, or another status that detail lists.',
    example: faulty(
      'status=paid',
      'status',
      '"paid" is not a recognised status. Recognised: pending, completed.',
    ),
  },
  invalid_currency: {
    status: 400,
    title: 'The currency is not valid',
    cause: 'currency is not an active ISO 4217 code in capital letters.',
    solution: 'Send three capital letters, for example EUR. Withdrawn codes are refused.',
    example: faulty('currency=eur', 'currency', '"eur" is not a currency code: did you mean EUR?'),
  },
  invalid_date: {
    status: 400,
    title: 'The date is not valid',
    cause: 'from or to is not a real day of the calendar in the form YYYY-MM-DD.',
    solution: 'Send the day only, for example 2026-03-31. Days are UTC days; both bounds are inclusive.',
    example: faulty(
      'from=2026-02-30',
      'from',
      '2026-02-30 does not exist in the calendar. Write a date as YYYY-MM-DD, for example 2026-03-31.',
    ),
  },
  date_range_inverted: {
    status: 400,
    title: 'The date range is inverted',
    cause: 'from is after to.',
    solution: 'Send the earlier day as from. If both are the same day, the range is that whole day.',
    example: faulty(
      'from=2026-03-31&to=2026-03-01',
      'from',
      'from (2026-03-31) is after to (2026-03-01). Send the earlier day as from.',
    ),
  },
  date_range_too_long: {
    status: 400,
    title: 'The date range is too long',
    cause: 'to is more than 90 days after from.',
    solution:
      'Request at most 90 days at a time. detail has the latest to for your from; start the next range one day later.',
    example: faulty('from=2026-01-01&to=2026-09-01', 'to', TOO_LONG),
  },
  invalid_merchant_reference: {
    status: 400,
    title: 'The merchantReference is not valid',
    cause:
      'merchantReference is empty, longer than 255 characters, or contains a character that no merchantReference can contain.',
    solution:
      'Send the whole merchantReference as it was recorded, percent-encoded. The match is exact: a part of it finds nothing.',
    example: faulty(
      'merchantReference=',
      'merchantReference',
      'merchantReference is empty. Send one as it was recorded, or omit it to list all transactions.',
    ),
  },
  cursor_filter_mismatch: {
    status: 400,
    title: 'A filter contradicts the cursor',
    cause: 'A filter that was sent with the cursor is not the one that the cursor was issued for.',
    solution:
      'Send the cursor alone, or with the same filters as in the first request. To start another list, omit cursor. A merchantReference that is too long for a cursor must be sent with it, as in the Link header.',
    example: faulty(
      `cursor=${EXAMPLE_CURSOR}&status=pending`,
      'status',
      'The cursor belongs to a list with another status. Send the cursor alone, or omit it to start a new list.',
      { given: 'The cursor was issued for the list of status=completed.' },
    ),
  },
});

/** The errors of filters and cursors. */
export const LIST_PROBLEMS = { ...FILTER_PROBLEMS, ...PAGE_PROBLEMS };
