import type { ProblemKind } from '../../../http/problems/problem-kind.ts';

/** The errors of operations that have a body or change something. */
export const WRITING_PROBLEMS = {
  invalid_body: {
    status: 400,
    title: 'The body is not valid',
    cause: 'The body is missing, or is not a JSON object.',
    solution: 'Send one JSON object in UTF-8.',
  },
  invalid_fields: {
    status: 422,
    title: 'A field is not valid',
    cause: 'One or more fields of the body, or parameters of the path, are not valid.',
    solution:
      'errors lists each fault with a JSON pointer to its field, its code and what to send instead. It lists at most 20; detail says how many more there are. Nothing was recorded or changed.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    cause: 'The operation does not accept a body of this type.',
    solution:
      'Send application/json, or application/x-ndjson to the batch endpoint, and name the type in Content-Type.',
  },
  transaction_conflict: {
    status: 409,
    title: 'The transaction contradicts the recorded one',
    cause:
      'A transaction with this reference is already recorded with other values. Only a pending transaction can change: its status and paidAt, once.',
    solution:
      'differences lists each field that differs, with both values. Correct the fields, or use another reference.',
  },
  key_not_active: {
    status: 409,
    title: 'The key is not active',
    cause: 'The key is revoked or has expired. Only a key that is accepted can be rolled.',
    solution: 'Create a new key for the account.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The idempotency key is missing',
    cause:
      'The request has no valid Idempotency-Key header. It is required when the service assigns the reference, because it makes the request safe to repeat.',
    solution:
      'Send Idempotency-Key with 1 to 255 visible ASCII characters. Use a different key for each transaction.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key was already used',
    cause: 'Another transaction of this account was recorded with this key.',
    solution:
      'Use a new key for a new transaction. To repeat a request, send exactly the same fields: differences lists each field that differs from the first request with the key, with both values.',
  },
} satisfies Record<string, ProblemKind>;
