import { defineProblems } from '../../../http/problems/problem-kind.ts';

/** The errors of exports alone. */
export const EXPORT_PROBLEMS = defineProblems({
  invalid_spreadsheet: {
    status: 400,
    title: 'The value of spreadsheet is not valid',
    cause: 'spreadsheet is neither true nor false.',
    solution:
      'Send spreadsheet=true for a file that is opened in a spreadsheet. Omit it for a file that a program reads.',
  },
  invalid_column: {
    status: 400,
    title: 'The wish for a column is not valid',
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
});
