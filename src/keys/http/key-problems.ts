import { refused } from '../../http/problems/problem-example.ts';
import { defineProblems } from '../../http/problems/problem-kind.ts';

/** The error of rolling alone. */
export const KEY_PROBLEMS = defineProblems({
  key_not_active: {
    status: 409,
    title: 'The key is not active',
    cause: 'The key is revoked or has expired. Only a key that is accepted can be rolled.',
    solution: 'Create a new key for the account.',
    example: refused(
      {
        method: 'POST',
        target: '/v1/accounts/store-1/keys/key_0123456789abcdef/roll',
        body: '{"grace": "24h"}',
      },
      'The key is revoked or has expired, so it cannot be rolled. Create a new one.',
      { given: 'The key was revoked.' },
    ),
  },
});
