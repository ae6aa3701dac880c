import { faulty } from '../problems/problem-example.ts';
import { defineProblems } from '../problems/problem-kind.ts';

/** The cursor of a page of transactions. A test makes the same. */
export const EXAMPLE_CURSOR =
  'AdC790RhV5HczLdBc2_LJQU5xHvDVDG4kkUbcN1-aF6k0UbPP4bvNA-iNvxUS0X8w-Tv60-XsKo1uj9JKLYT6fi_kP2ASQhxeLxsKFHTX7BQMKBI0vSDAQjR12KmujhCcmg6zm4O4YOqwAWYaWINzSQ';

/** When it expires: a day later. */
export const EXAMPLE_CURSOR_EXPIRES = '2026-06-16T12:00:00.000Z';

/** The query with a fresh cursor of the same place, when the one above has expired. A test makes the same. */
const EXAMPLE_RESUME =
  '/v1/transactions?cursor=AdC790RhV5HczLdBc2_LJQU5xHvDVDG4kkUbcN1-aF6k0UbHOYLvNA-iNvxUS0X8w-Tv60-XsKo1uj9JKLYT6fi_kP2ASQhxeLxsKFHTX7BQMKBI0vSDAQjR12KmujhCchZhWiB88bFj76Lp6lodhlM';

/** The errors of the parameter cursor, which every collection has. */
export const PAGE_PROBLEMS = defineProblems({
  cursor_malformed: {
    status: 400,
    title: 'The cursor is malformed',
    cause:
      'The cursor was not issued by this service for this account and this collection, or was altered or cut.',
    solution:
      'Send nextCursor unchanged, to the same path, with a key of the same account. To start from the first page, omit cursor.',
    example: faulty(
      `cursor=${EXAMPLE_CURSOR.slice(0, -4)}`,
      'cursor',
      'The cursor was not issued by this service for this account, or was altered. Send nextCursor unchanged, or omit cursor to start from the first page.',
      { given: 'The last four characters of the cursor are missing.' },
    ),
  },
  cursor_expired: {
    status: 400,
    title: 'The cursor has expired',
    cause: 'A cursor is valid until the time in the Cursor-Expires header of the page that it came with.',
    solution:
      'Send the request in resume. It has a fresh cursor, which continues the collection after the last item that you have, with the same filters: nothing is left out or repeated.',
    example: faulty(
      `cursor=${EXAMPLE_CURSOR}`,
      'cursor',
      'The cursor expired at 2026-06-16T12:00:00.000Z. Send the request in resume until 2026-06-17T12:00:00.000Z: it has a fresh cursor, which continues at the same place, with the same filters.',
      { resume: EXAMPLE_RESUME, given: 'The page with this cursor is more than a day old.' },
    ),
  },
});
