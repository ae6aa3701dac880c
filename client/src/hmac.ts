import { bytesOfHex, Sha256 } from './sha256.ts';

const BLOCK_BYTES = 64;

function hashOf(...pieces: Uint8Array[]): Uint8Array {
  const hash = new Sha256();
  for (const piece of pieces) hash.update(piece);
  return bytesOfHex(hash.hex());
}

/** HMAC-SHA256 of a message in pieces. Source: RFC 2104. */
export function hmacSha256(key: Uint8Array, ...message: Uint8Array[]): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? hashOf(key) : key);
  const inner = hashOf(
    block.map((byte) => byte ^ 0x36),
    ...message,
  );
  return hashOf(
    block.map((byte) => byte ^ 0x5c),
    inner,
  );
}
