import { AUTHORIZED, example, faulty, JSON_BODY, twice } from '../../http/problems/problem-example.ts';
import { defineProblems } from '../../http/problems/problem-kind.ts';

const WEBHOOKS = '/v1/webhooks';
const creation = (body: unknown) => ({
  method: 'POST',
  target: WEBHOOKS,
  headers: JSON_BODY,
  body: JSON.stringify(body, null, 2),
});
const FAILURES = `${WEBHOOKS}/we_0123456789abcdef/failures`;

/** The errors of the operations on webhooks alone. */
export const WEBHOOK_PROBLEMS = defineProblems({
  too_many_webhooks: {
    status: 409,
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

const FAULTS = [
  { pointer: '/url', code: 'invalid_value', detail: 'must begin with https://' },
  {
    pointer: '/types/0',
    code: 'invalid_value',
    detail: '"transaction.complete" is not a type of this service: did you mean transaction.completed?',
  },
];
const AHEAD = 'is 20, but the last change of the account has the number 13';
const NOT_A_SEQUENCE =
  '"x" is not a sequence number. Send the sequence of the last failure of the page before, or 0 for the first failure.';
const NOT_A_LIMIT = 'limit can be at most 1000. Send limit=1000, and the last sequence as after for more.';

/** Errors of the operations on webhooks, where those of others do not fit. */
export const WEBHOOK_PROBLEM_EXAMPLES = {
  insufficient_scope: example(
    { target: WEBHOOKS },
    'This operation needs a key with the scope webhooks. This key has read. Ask the operator for another one.',
    {
      given: 'The key has the scope read only.',
      headers: {
        'WWW-Authenticate': 'Bearer realm="transactions", error="insufficient_scope", scope="webhooks"',
      },
    },
  ),
  invalid_body: example(creation([]), 'The body is JSON, but not an object.'),
  unsupported_media_type: example(
    {
      method: 'POST',
      target: WEBHOOKS,
      headers: { ...AUTHORIZED, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'url=https://shop.example/webhooks',
    },
    'This operation takes application/json, and the request has the Content-Type "application/x-www-form-urlencoded". Send the body as application/json, and the header Content-Type: application/json.',
  ),
  invalid_fields: example(
    creation({ url: 'http://shop.example/webhooks', types: ['transaction.complete'] }),
    'The body has 2 faults: see errors.',
    { errors: FAULTS },
  ),
  not_found: example(
    { target: '/v1/webhooks/we_0000000000000000' },
    'The account has no endpoint with this id.',
  ),
  sequence_ahead: example(
    {
      method: 'POST',
      target: `${WEBHOOKS}/we_0123456789abcdef/replay`,
      headers: JSON_BODY,
      body: JSON.stringify({ after: 20 }, null, 2),
    },
    `/after ${AHEAD}.`,
    {
      errors: [{ pointer: '/after', code: 'sequence_ahead', detail: AHEAD }],
      headSequence: 13,
      given: 'The account has 13 changes.',
    },
  ),
  invalid_sequence: faulty('after=x', 'after', NOT_A_SEQUENCE, {}, FAILURES),
  invalid_limit: faulty('limit=5000', 'limit', NOT_A_LIMIT, {}, FAILURES),
  duplicate_parameter: twice(FAILURES, 'after', '1', '2'),
} as const;
