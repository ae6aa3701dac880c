import { AUTHORIZED, example, LIST } from '../problems/problem-example.ts';

/** Examples for operations that the example of a kind does not fit. */
export const OTHER_EXAMPLES = {
  /** For an operation without parameters. */
  noHost: example({ headers: AUTHORIZED }, 'The request has no Host header, which HTTP/1.1 requires.', {
    given: 'The request has no Host header.',
  }),
  noParameters: example(
    { target: `${LIST}/tx_000012?expand=all` },
    '"expand" is not a parameter. This operation has no query parameters.',
    {
      errors: [
        {
          parameter: 'expand',
          code: 'unknown_parameter',
          detail: '"expand" is not a parameter. This operation has no query parameters.',
        },
      ],
    },
  ),
  addressLimited: example(
    { headers: {} },
    'This address, without a usable key, may send 100 requests a second, and 1000 at once after a pause. Try again in 1 s.',
    {
      given: 'The address has just sent 1000 requests without a usable key.',
      headers: {
        'Retry-After': '1',
        'RateLimit-Policy': '"address";q=1000;w=10',
        RateLimit: '"address";r=0;t=1',
      },
    },
  ),
  /** For an operation on the operator's listener. */
  otherAccounts: example(
    { method: 'GET', target: '/v1/accounts/store-1/keys' },
    'This key is only for accounts that begin with "shop-". Use another key.',
    {
      given: 'The key was created with the account prefix shop-.',
      headers: { 'WWW-Authenticate': 'Bearer realm="transactions", error="insufficient_scope"' },
    },
  ),
} as const;
