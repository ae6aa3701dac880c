import { faulty } from '../../http/problems/problem-example.ts';
import { defineProblems } from '../../http/problems/problem-kind.ts';
import type { Example } from '../../http/schemas/responses.ts';
import { explainIdentifier } from '../../ledger/transaction.ts';

export const ACCOUNTS = '/v1/accounts';

/** The responses to `GET /v1/accounts?limit=1` and to `after=store-1`. */
export const ACCOUNT_EXAMPLES = {
  first: {
    summary: 'The first account',
    value: { data: [{ account: 'store-1', headSequence: 12, keys: 1 }], hasMore: true },
  },
  rest: {
    summary: 'The rest: an account that only has keys',
    value: { data: [{ account: 'store-2', headSequence: 0, keys: 1 }], hasMore: false },
  },
} satisfies Record<string, Example>;

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
