import { defineProblems } from '../problems/problem-kind.ts';

/** The errors of the parameter cursor, which every collection has. */
export const PAGE_PROBLEMS = defineProblems({
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
});
