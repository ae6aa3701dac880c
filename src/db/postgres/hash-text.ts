const GOLDEN = 0x9e3779b9;
const BLOCK = 12;

const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));

/**
 * PostgreSQL's hash of a text, by which Citus assigns rows to shards: a whole number of 32 bits with a sign.
 *
 * Source: hash_bytes in src/common/hashfn.c of PostgreSQL, after Bob Jenkins' lookup3.
 */
export function hashText(text: string): number {
  const bytes = Buffer.from(text);
  const blocks = Math.floor(bytes.length / BLOCK);
  // The rest is read as a block that ends with zeros.
  const rest = Buffer.alloc(BLOCK);
  bytes.copy(rest, 0, blocks * BLOCK);
  let a = (GOLDEN + bytes.length + 3_923_095) | 0;
  let b = a;
  let c = a;
  for (let at = 0; at < blocks * BLOCK; at += BLOCK) {
    a = (a + bytes.readInt32LE(at)) | 0;
    b = (b + bytes.readInt32LE(at + 4)) | 0;
    c = (c + bytes.readInt32LE(at + 8)) | 0;
    a = ((a - c) ^ rotate(c, 4)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 6)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 8)) | 0;
    b = (b + a) | 0;
    a = ((a - c) ^ rotate(c, 16)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 19)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 4)) | 0;
    b = (b + a) | 0;
  }
  a = (a + rest.readInt32LE(0)) | 0;
  b = (b + rest.readInt32LE(4)) | 0;
  // The lowest byte of the last word is left for the length, which is in the start value.
  c = (c + (rest.readInt32LE(8) << 8)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}
