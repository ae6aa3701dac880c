import { example, faulty } from '../../http/problems/problem-example.ts';
import type { Example } from '../../http/schemas/responses.ts';
import { ACCOUNTS } from './account-problems.ts';

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

const NOT_A_LIMIT =
  '"5000" is not a number of accounts that a page can have. Send a whole number from 1 to 1000.';
const UNKNOWN = '"cursor" is not a parameter. The parameters are after, limit.';
const TWICE = 'after is sent more than once. Send it once.';

/** Errors of a request for accounts, where those of the list do not fit. */
export const ACCOUNT_PROBLEM_EXAMPLES = {
  invalid_request: example(
    { target: `${ACCOUNTS}?cursor=7&limit=5000` },
    'The request has 2 faults: see errors.',
    {
      errors: [
        { parameter: 'cursor', code: 'unknown_parameter', detail: UNKNOWN },
        { parameter: 'limit', code: 'invalid_limit', detail: NOT_A_LIMIT },
      ],
    },
  ),
  invalid_limit: faulty('limit=5000', 'limit', NOT_A_LIMIT, {}, ACCOUNTS),
  unknown_parameter: faulty('cursor=7', 'cursor', UNKNOWN, {}, ACCOUNTS),
  duplicate_parameter: faulty('after=a&after=b', 'after', TWICE, {}, ACCOUNTS),
} as const;
