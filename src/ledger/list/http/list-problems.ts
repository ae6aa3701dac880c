import { EXAMPLE_CURSOR, PAGE_PROBLEMS } from '../../../http/operations/page-problems.ts';
import { faulty } from '../../../http/problems/problem-example.ts';
import { defineProblems } from '../../../http/problems/problem-kind.ts';
import { FILTER_PROBLEMS } from '../../http/filter-parameters.ts';

const TOO_LONG =
  'to (2026-09-01) is 243 days after from (2026-01-01); at most 90 are allowed. With from=2026-01-01, to can be at most 2026-04-01.';

const OWN_PROBLEMS = defineProblems({
  date_range_too_long: {
    status: 400,
    title: 'The date range is too long',
    cause:
      'to is more than 90 days after from. Or totals by day or month of a time zone, or an export by days of paidAt, would have to read too many transactions.',
    solution:
      'Request at most 90 days at a time. detail has the latest to for your from; start the next range one day later. For totals, send a shorter range, or omit timeZone. For an export by days of paidAt, send from and to, too.',
    example: faulty('from=2026-01-01&to=2026-09-01', 'to', TOO_LONG),
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
export const LIST_PROBLEMS = { ...FILTER_PROBLEMS, ...OWN_PROBLEMS, ...PAGE_PROBLEMS };
