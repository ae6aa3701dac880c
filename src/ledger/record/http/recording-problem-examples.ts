import type { ProblemCode } from '../../../http/problems/problems.ts';
import {
  AUTHORIZED,
  type ExampleRequest,
  example,
  type ProblemExample,
  type ResponseDetails,
} from '../../../http/reference/examples/problem-example.ts';
import { explainAmount } from '../../../values/amount.ts';

const TOO_PRECISE = explainAmount('12.505');
const JSON_BODY = { ...AUTHORIZED, 'Content-Type': 'application/json' };
const RECORD = '/v1/accounts/store-1/transactions';
const TRANSACTION = {
  merchantReference: 'order-1014',
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: '2026-04-01T09:30:05.000Z',
  createdAt: '2026-04-01T09:30:00.000Z',
};

/** An example of a recording that is refused. */
function refused(
  code: ProblemCode,
  request: Partial<ExampleRequest>,
  detail: string,
  details: ResponseDetails = {},
): ProblemExample {
  const recording = { method: 'PUT', target: `${RECORD}/tx_000014`, headers: JSON_BODY };
  return example(code, { ...recording, ...request }, detail, details);
}

/** Examples of the errors of operations that record, and of those on keys. */
export const RECORDING_PROBLEM_EXAMPLES = {
  invalid_body: refused(
    'invalid_body',
    { body: JSON.stringify([TRANSACTION], null, 2) },
    'The body is JSON, but not an object.',
  ),
  invalid_fields: refused(
    'invalid_fields',
    { body: JSON.stringify({ ...TRANSACTION, amount: '12.505' }, null, 2) },
    `/amount ${TOO_PRECISE}.`,
    { errors: [{ pointer: '/amount', code: 'invalid_value', detail: TOO_PRECISE }] },
  ),
  unsupported_media_type: refused(
    'unsupported_media_type',
    {
      headers: { ...AUTHORIZED, 'Content-Type': 'text/csv' },
      body: 'order-1014,completed,12.50,EUR',
    },
    'This operation takes application/json, and the request has the Content-Type "text/csv". Send the body as application/json, and the header Content-Type: application/json.',
  ),
  transaction_conflict: refused(
    'transaction_conflict',
    { body: JSON.stringify({ ...TRANSACTION, amount: '13.00' }, null, 2) },
    'The transaction is already recorded with a different amount.',
    {
      given: 'tx_000014 was recorded with the amount 12.50.',
      differences: [{ field: 'amount', recorded: '12.50', given: '13.00' }],
    },
  ),
  key_not_active: refused(
    'key_not_active',
    {
      method: 'POST',
      target: '/v1/accounts/store-1/keys/key_0123456789abcdef/roll',
      body: '{"grace": "24h"}',
    },
    'The key is revoked or has expired, so it cannot be rolled. Create a new one.',
    { given: 'The key was revoked.' },
  ),
  idempotency_key_missing: refused(
    'idempotency_key_missing',
    { method: 'POST', target: RECORD, body: JSON.stringify(TRANSACTION, null, 2) },
    'Send the header Idempotency-Key with 1 to 255 visible ASCII characters.',
  ),
  idempotency_key_reused: refused(
    'idempotency_key_reused',
    {
      method: 'POST',
      target: RECORD,
      headers: { ...JSON_BODY, 'Idempotency-Key': 'payment-1014' },
      body: JSON.stringify({ ...TRANSACTION, amount: '13.00' }, null, 2),
    },
    'This Idempotency-Key was already used for a transaction with a different amount. Use a new key for a new transaction.',
    {
      given: 'A transaction of 12.50 EUR was recorded with the same Idempotency-Key.',
      differences: [{ field: 'amount', recorded: '12.50', given: '13.00' }],
    },
  ),
};
