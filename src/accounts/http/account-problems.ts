import { faulty } from '../../http/problems/problem-example.ts';
import { defineProblems } from '../../http/problems/problem-kind.ts';
import { explainIdentifier } from '../../ledger/transaction.ts';

export const ACCOUNTS = '/v1/accounts';

const NOT_AN_ACCOUNT = `after ${explainIdentifier('store 1')}. Send the last account of the page before, or omit after for the first page.`;

/** The error of a request for accounts alone. */
export const ACCOUNT_PROBLEMS = defineProblems({
  invalid_account: {
    status: 400,
    title: 'The account is not valid',
    cause: 'after is not 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-".',
    solution: 'Send the last account of the page before, or omit after to begin with the first account.',
    example: faulty('after=store%201', 'after', NOT_AN_ACCOUNT, {}, ACCOUNTS),
  },
});
