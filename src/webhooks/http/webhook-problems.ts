import { example, JSON_BODY } from '../../http/problems/problem-example.ts';
import { defineProblems } from '../../http/problems/problem-kind.ts';

const WEBHOOKS = '/v1/webhooks';

/** The errors of the operations on webhooks alone. */
export const WEBHOOK_PROBLEMS = defineProblems({
  too_many_webhooks: {
    status: 429,
    title: 'The account has too many endpoints',
    cause: 'The account has 20 endpoints, which is the most that it can have.',
    solution:
      'List the endpoints, and delete one that is not used, or change its URL. One endpoint gets changes of every type, so few are needed.',
    example: example(
      {
        method: 'POST',
        target: WEBHOOKS,
        headers: JSON_BODY,
        body: JSON.stringify({ url: 'https://shop.example/webhooks' }, null, 2),
      },
      'The account has 20 endpoints already. Delete one that is not used, or change it.',
      { given: 'The account has 20 endpoints.' },
    ),
  },
  too_many_tests: {
    status: 429,
    title: 'Too many test webhooks at once',
    cause:
      'The account already waits for the receivers of two test webhooks on this instance of the service.',
    solution: 'Wait until one of them has answered, at most 15 seconds, and send the request again.',
    example: example(
      { method: 'POST', target: `${WEBHOOKS}/we_0123456789abcdef/test` },
      'The account already waits for the receivers of two test webhooks. Try again in 5 s, or when one of them has answered.',
      {
        headers: { 'Retry-After': '5' },
        given: 'Two receivers of the account have not answered their test webhooks yet.',
      },
    ),
  },
});
