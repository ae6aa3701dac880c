import type { SealHead } from './seal.ts';

export const READ_SEAL_HEAD = 'SELECT sequence, nonce, seal, digests FROM seals WHERE account = $1';
export const READ_SEAL_BLOCKS =
  'SELECT sequence, NULL, seal, digests FROM seal_blocks WHERE account = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence';

export type SealValues = [sequence: number, nonce: number | null, seal: string, digests: string];

export const sealHeadOf = ([sequence, nonce, seal, digests]: SealValues): SealHead => ({
  sequence,
  nonce,
  seal,
  digests,
});
