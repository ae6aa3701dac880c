import { BLOCK_CHANGES, NO_DIGEST, type SealHead, UNSEALED } from './seal.ts';

/** The SQL of `verify`. */
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

/** The SQL that reads the seal of an account, and behind it that of its floor. */
export const readSealSql = (account: string) =>
  `SELECT CAST(0 AS bigint) AS is_floor, sequence, nonce, seal, digests FROM seals WHERE seals.account = ${account}
UNION ALL
SELECT CAST(1 AS bigint), floor_sequence, floor_nonce, floor_seal, '' FROM archives WHERE archives.account = ${account}
ORDER BY is_floor LIMIT 1`;

export type SealRow = [isFloor: number, ...SealValues];

/** Sealing that has not begun begins at the floor of an archived account: the target of a copy has no seals. */
export function sealedUpTo(row: SealRow | undefined): SealHead {
  if (row === undefined) return UNSEALED;
  const [isFloor, ...values] = row;
  const head = sealHeadOf(values);
  return isFloor === 1 ? { ...head, digests: NO_DIGEST.repeat(head.sequence % BLOCK_CHANGES) } : head;
}
