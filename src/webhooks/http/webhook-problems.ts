import { defineProblems } from '../../http/problems/problem-kind.ts';

/** The errors of the operations on webhooks alone. */
export const WEBHOOK_PROBLEMS = defineProblems({
  too_many_webhooks: {
    status: 429,
    title: 'The account has too many endpoints',
    cause: 'The account has 20 endpoints, which is the most that it can have.',
    solution:
      'List the endpoints, and delete one that is not used, or change its URL. One endpoint gets changes of every type, so few are needed.',
  },
  too_many_tests: {
    status: 429,
    title: 'Too many test webhooks at once',
    cause:
      'The account already waits for the receivers of two test webhooks on this instance of the service.',
    solution: 'Wait until one of them has answered, at most 15 seconds, and send the request again.',
  },
});
