import { randomBytes } from 'node:crypto';

const POOL_BYTES = 8192;
let pool = Buffer.alloc(0);

export function secureRandomBytes(length: number): Uint8Array {
  if (pool.length < length) pool = randomBytes(Math.max(POOL_BYTES, length));
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return bytes;
}
