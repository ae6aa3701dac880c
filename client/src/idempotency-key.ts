import { ArgumentError } from './errors.ts';
import type { RequestOptions } from './send.ts';

export interface CreateOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. Give one that you have stored, such as an order number: then you can
   * repeat the call even after your program crashed. Default: a random one, for this call's retries.
   */
  idempotencyKey?: string | undefined;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** @throws ArgumentError */
export function checkIdempotencyKey(key: string): string {
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new ArgumentError('The idempotencyKey is not 1 to 255 visible ASCII characters.');
}
