export type RandomBytes = (length: number) => Uint8Array;

/** `tx_` and a UUID of version 7. Times before 1970 sort as 1970. Source: RFC 9562, section 5.7. */
export function assignReference(timeMs: number, randomBytes: RandomBytes): string {
  const time = Math.max(timeMs, 0).toString(16).padStart(12, '0');
  const random = Buffer.from(randomBytes(10));
  random[0] = 0x70 | ((random[0] ?? 0) & 0x0f);
  random[2] = 0x80 | ((random[2] ?? 0) & 0x3f);
  const hex = time + random.toString('hex');
  return `tx_${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
