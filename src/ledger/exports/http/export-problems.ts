import { EXPORT, example, faulty } from '../../../http/problems/problem-example.ts';
import { defineProblems } from '../../../http/problems/problem-kind.ts';
import { EXAMPLE_EXPORT_ID } from '../../http/transaction-examples.ts';

/** The errors of exports alone. */
export const EXPORT_PROBLEMS = defineProblems({
  invalid_spreadsheet: {
    status: 400,
    title: 'The value of spreadsheet is not valid',
    cause: 'spreadsheet is neither true nor false.',
    solution:
      'Send spreadsheet=true for a file that is opened in a spreadsheet. Omit it for a file that a program reads.',
    example: faulty(
      'spreadsheet=yes',
      'spreadsheet',
      '"yes" is neither true nor false. Send spreadsheet=true for a file that is opened in a spreadsheet.',
      {},
      EXPORT,
    ),
  },
  invalid_column: {
    status: 400,
    title: 'The wish for a column is not valid',
    cause: 'relatedTo or recordedAt is neither true nor false.',
    solution:
      'Send relatedTo=true or recordedAt=true for an export with the column. Omit it for one without.',
    example: faulty(
      'relatedTo=yes',
      'relatedTo',
      '"yes" is neither true nor false. Send relatedTo=true for an export with the column relatedTo.',
      {},
      EXPORT,
    ),
  },
  invalid_details: {
    status: 400,
    title: 'The value of details is not valid',
    cause: 'details is not a list of different names of details, separated by commas.',
    solution: 'Send the names that become columns, such as details=customer,last4.',
    example: faulty(
      'details=customer;last4',
      'details',
      '"customer;last4" is not a list of names of details. Send 1 to 16 different names with commas between them, such as customer,last4.',
      {},
      EXPORT,
    ),
  },
  invalid_resume: {
    status: 400,
    title: 'The export cannot be resumed',
    cause:
      'resume is not the id of an export of this account, the export began more than 24 hours ago, or another request has just resumed it.',
    solution: 'Send the Export-Id of the response that was cut. Omit resume and after to begin a new export.',
    example: faulty(
      'resume=exp_0000000000000000',
      'resume',
      'This account has no export with this id, or it began more than 24 hours ago. Omit resume and after to begin a new export.',
      {},
      EXPORT,
    ),
  },
  invalid_after: {
    status: 400,
    title: 'The reference to continue after is not valid',
    cause: 'after is not the reference of a transaction of the export, or is sent without resume.',
    solution:
      'Send the reference of the last whole row that you have, together with resume. Omit after to get all rows again.',
    example: faulty(
      'after=tx_000012',
      'after',
      'after is sent without resume. Send the Export-Id of the export that was cut as resume.',
      {},
      EXPORT,
    ),
  },
  export_mismatch: {
    status: 400,
    title: 'A parameter contradicts the export',
    cause:
      'A filter, the format or spreadsheet was sent with resume, and is not the one of the export that is resumed.',
    solution:
      'Send resume and after alone, or with the same parameters as before. For other filters, begin a new export.',
    example: faulty(
      `resume=${EXAMPLE_EXPORT_ID}&currency=EUR`,
      'currency',
      'The currency of the export is "USD". Send the same, or omit it.',
      { given: 'An export with currency=USD was cut.' },
      EXPORT,
    ),
  },
  too_many_exports: {
    status: 429,
    title: 'Too many exports',
    cause:
      'The account already runs two exports on this instance of the service, or has begun 5,000 exports in the last 24 hours.',
    solution:
      'Wait until one of them has ended, and send the request again. To end one, close its connection. After 5,000 exports in 24 hours, wait for the number of seconds in Retry-After.',
    example: example(
      { target: EXPORT },
      'The account already runs two exports. Try again in 10 s, or when one of them has ended.',
      { given: 'Two exports of the account are being sent.', headers: { 'Retry-After': '10' } },
    ),
  },
  export_failed: {
    status: 500,
    title: 'The export failed',
    cause:
      'What the service read for the export does not add up to the totals of the account. Its database is damaged, so the export can never be completed.',
    solution:
      'Do not send the request again. Tell the operator, who finds the place with transactions verify. Once the database is repaired, begin a new export.',
    example: example(
      { target: `${EXPORT}?resume=${EXAMPLE_EXPORT_ID}` },
      'The transactions do not add up to the totals, so the export cannot be completed. Tell the operator, who finds the place with transactions verify.',
      { given: 'The export was cut, because what the service read did not add up to the totals.' },
    ),
  },
});
