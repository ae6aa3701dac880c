import { PAGE_PROBLEMS } from '../../../http/operations/page-problems.ts';
import { defineProblems } from '../../../http/problems/problem-kind.ts';
import { FILTER_PROBLEMS } from '../../http/filter-parameters.ts';

const OWN_PROBLEMS = defineProblems({
  cursor_filter_mismatch: {
    status: 400,
    title: 'A filter contradicts the cursor',
    cause: 'A filter that was sent with the cursor is not the one that the cursor was issued for.',
    solution:
      'Send the cursor alone, or with the same filters as in the first request. To start another list, omit cursor. A merchantReference that is too long for a cursor must be sent with it, as in the Link header.',
  },
});

/** The errors of filters and cursors. */
export const LIST_PROBLEMS = { ...FILTER_PROBLEMS, ...OWN_PROBLEMS, ...PAGE_PROBLEMS };
