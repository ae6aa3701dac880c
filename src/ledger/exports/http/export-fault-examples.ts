import { EXPORT, example, faulty } from '../../../http/reference/examples/problem-example.ts';
import { EXAMPLE_EXPORT_ID } from '../../http/transaction-examples.ts';

/** An example of each error that only exports have. */
export const EXPORT_FAULT_EXAMPLES = {
  invalid_spreadsheet: faulty(
    'invalid_spreadsheet',
    'spreadsheet=yes',
    'spreadsheet',
    '"yes" is neither true nor false. Send spreadsheet=true for a file that is opened in a spreadsheet.',
    {},
    EXPORT,
  ),
  invalid_resume: faulty(
    'invalid_resume',
    'resume=exp_0000000000000000',
    'resume',
    'This account has no export with this id, or it began more than 24 hours ago. Omit resume and after to begin a new export.',
    {},
    EXPORT,
  ),
  invalid_after: faulty(
    'invalid_after',
    'after=tx_000012',
    'after',
    'after is sent without resume. Send the Export-Id of the export that was cut as resume.',
    {},
    EXPORT,
  ),
  export_mismatch: faulty(
    'export_mismatch',
    `resume=${EXAMPLE_EXPORT_ID}&currency=EUR`,
    'currency',
    'The currency of the export is "USD". Send the same, or omit it.',
    { given: 'An export with currency=USD was cut.' },
    EXPORT,
  ),
  too_many_exports: example(
    'too_many_exports',
    { target: EXPORT },
    'The account already runs two exports. Try again in 10 s, or when one of them has ended.',
    { given: 'Two exports of the account are being sent.', headers: { 'Retry-After': '10' } },
  ),
  export_failed: example(
    'export_failed',
    { target: `${EXPORT}?resume=${EXAMPLE_EXPORT_ID}` },
    'The transactions do not add up to the totals, so the export cannot be completed. Tell the operator, who finds the place with transactions verify.',
    { given: 'The export was cut, because what the service read did not add up to the totals.' },
  ),
} as const;
