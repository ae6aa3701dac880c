import { defineProblems } from '../../../http/problems/problem-kind.ts';

/** The errors of recording alone. */
export const RECORDING_PROBLEMS = defineProblems({
  transaction_conflict: {
    status: 409,
    title: 'The transaction contradicts the recorded one',
    cause:
      'A transaction with this reference is already recorded with other values. Only a pending transaction can change: its status and paidAt, once.',
    solution:
      'differences lists each field that differs, with both values. Correct the fields, or use another reference.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The idempotency key is missing or malformed',
    cause:
      'The request has no valid Idempotency-Key header. It makes a request safe to repeat, and is required when the service assigns the reference of a transaction.',
    solution:
      'Send Idempotency-Key with 1 to 255 visible ASCII characters. Use a different key for each transaction and each endpoint.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key was already used',
    cause: 'Another transaction of this account was recorded with this key, or another endpoint created.',
    solution:
      'Use a new key for something new. To repeat a request, send exactly the same fields: differences lists each field that differs from the first request with the key, with both values.',
  },
});
