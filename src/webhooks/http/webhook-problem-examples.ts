import { AUTHORIZED, example } from '../../http/problems/problem-example.ts';

const WEBHOOKS = '/v1/webhooks';
const JSON_BODY = { ...AUTHORIZED, 'Content-Type': 'application/json' };
const creation = (body: unknown) => ({
  method: 'POST',
  target: WEBHOOKS,
  headers: JSON_BODY,
  body: JSON.stringify(body, null, 2),
});
const FAILURES = `${WEBHOOKS}/we_0123456789abcdef/failures`;

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
const NOT_A_LIMIT =
  '"5000" is not a number of failures that a page can have. Send a whole number from 1 to 1000.';
const TWICE = 'after is sent more than once. Send it once.';

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
  invalid_sequence: example({ target: `${FAILURES}?after=x` }, NOT_A_SEQUENCE, {
    errors: [{ parameter: 'after', code: 'invalid_sequence', detail: NOT_A_SEQUENCE }],
  }),
  invalid_limit: example({ target: `${FAILURES}?limit=5000` }, NOT_A_LIMIT, {
    errors: [{ parameter: 'limit', code: 'invalid_limit', detail: NOT_A_LIMIT }],
  }),
  duplicate_parameter: example({ target: `${FAILURES}?after=1&after=2` }, TWICE, {
    errors: [{ parameter: 'after', code: 'duplicate_parameter', detail: TWICE }],
  }),
} as const;
