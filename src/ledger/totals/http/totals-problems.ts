import { faulty, TOTALS } from '../../../http/problems/problem-example.ts';
import { defineProblems } from '../../../http/problems/problem-kind.ts';

/** The error of a request for totals alone. */
export const TOTALS_PROBLEMS = defineProblems({
  invalid_by: {
    status: 400,
    title: 'The period is not valid',
    cause: 'by is not a period by which totals are split. The only one is day.',
    solution: 'Send by=day for the totals of each UTC day, or omit by for the totals of all days.',
    example: faulty(
      'by=month',
      'by',
      '"month" is not a period by which totals are split. Send by=day, or omit by to add all days up.',
      {},
      TOTALS,
    ),
  },
});
