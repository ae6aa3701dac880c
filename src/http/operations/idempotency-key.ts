import type { FastifyRequest } from 'fastify';
import { Problem } from '../../../values/problem.ts';
import { Type } from '../schemas/type.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export const IDEMPOTENCY_KEY_HEADER = {
  'Idempotency-Key': Type.String({
    description: '1 to 255 visible ASCII characters.',
    examples: ['payment-1014'],
  }),
};

export const REPLAYED_HEADER = {
  'Idempotency-Replayed': Type.String({
    description: 'true: the response is that of an earlier request with this key. Absent otherwise.',
    examples: ['true'],
  }),
};

export function requireIdempotencyKey({ headers }: FastifyRequest): string {
  const key = headers['idempotency-key'];
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw new Problem(
    'idempotency_key_missing',
    'Send the header Idempotency-Key with 1 to 255 visible ASCII characters.',
  );
}
