import { ArgumentError } from './errors.ts';
import { checkRequestOptions, type RequestOptions } from './send.ts';

export interface CreateOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. With a key that you have stored, such as an order number, you can
   * repeat the call even after your program crashed. Default: a random key, for the retries of this call.
   */
  idempotencyKey?: string | undefined;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export function withIdempotencyKey(given: CreateOptions): {
  idempotencyKey: string;
  options: RequestOptions;
} {
  checkRequestOptions(given, ['idempotencyKey']);
  const { idempotencyKey = randomKey(), ...options } = given;
  // Refuses null, which would be sent as the text "null". Two payments could then have the same key.
  if (typeof idempotencyKey === 'string' && IDEMPOTENCY_KEY.test(idempotencyKey))
    return { idempotencyKey, options };
  throw new ArgumentError('The idempotencyKey is not a text of 1 to 255 visible ASCII characters.');
}

/** Does not use crypto.randomUUID, which browsers have only on https pages. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
