import { createHash, hash } from 'node:crypto';
import { type ChangeResult, changeId, type FormattedChange, formatChange } from '../changes/change.ts';

export const SEAL_FORM = '^[0-9a-f]{64}$';
/** The seal before the first change. */
export const NO_SEAL = '0'.repeat(64);
/** The changes of a whole block: the last one has a multiple of it as its number. */
export const BLOCK_CHANGES = 64;
/** The characters of the digest of a change: 48 bits. */
export const DIGEST_CHARACTERS = 8;

/** The seal of an account, in hexadecimal digits, at the change that it ends with. */
interface SealedUpTo {
  /** 0 if no change is sealed. */
  sequence: number;
  /** Null if no change is sealed, or if it is not known. */
  nonce: number | null;
  seal: string;
}

export interface SealHead extends SealedUpTo {
  /** The digests of the sealed changes that follow the last whole block. */
  digests: string;
}

/** The seal at a block's end, and a digest of each of its changes, which shows if that one was altered. */
export interface SealBlock {
  /** The number of its last change. */
  sequence: number;
  seal: string;
  digests: string;
}

/** Further changes of an account, sealed. */
export interface Sealing {
  head: SealHead;
  blocks: SealBlock[];
  /** The head sequence of the account when the changes were read. */
  headSequence: number;
}

/** The first changes of an account are sealed after it. */
export const UNSEALED: SealHead = { sequence: 0, nonce: null, seal: NO_SEAL, digests: '' };

/**
 * The sealed text of a change: its values in the feed as a JSON array without white space. Details are left
 * out, because they can be removed. JSON.stringify escapes the least that JSON allows.
 */
export function sealedText({
  sequence,
  id,
  previousStatus,
  recordedAt,
  transaction,
}: FormattedChange): string {
  const { status, reference, merchantReference, amount, currencyCode, paidAt, createdAt } = transaction;
  const { relatedTo = null } = transaction;
  return JSON.stringify([
    sequence,
    id,
    status,
    previousStatus,
    recordedAt,
    reference,
    merchantReference,
    amount,
    currencyCode,
    paidAt,
    createdAt,
    relatedTo,
  ]);
}

/** The seal at a change with a text, from the seal before it. */
export const sealAfter = (seal: string, text: string): string =>
  hash('sha256', Buffer.concat([Buffer.from(seal, 'hex'), Buffer.from(text)]), 'hex');

export const digestOfChange = (text: string): string =>
  hash('sha256', text, 'base64url').slice(0, DIGEST_CHARACTERS);

/** The SHA-256 of the digests of changes, in their order: each is the SHA-256 of the text of a change. */
export class DigestOfChanges {
  readonly #hash = createHash('sha256');

  add(text: string): void {
    this.#hash.update(hash('sha256', text, 'buffer'));
  }

  hex(): string {
    return this.#hash.digest('hex');
  }
}

/**
 * Seals the changes that a query after `from` found.
 *
 * Throws: Error if the change at `from` is another one than the sealed one, or if the changes have a gap.
 * Nothing is sealed then. The cause is damage, or somebody who changed rows with SQL.
 */
export function sealChanges(
  account: string,
  from: SealHead,
  { last, changes, headSequence }: Pick<ChangeResult, 'last' | 'changes' | 'headSequence'>,
): Sealing {
  if (from.nonce !== null && last?.nonce !== from.nonce)
    throw new Error(`the change ${from.sequence} of the account ${account} is not the one that was sealed`);
  const blocks: SealBlock[] = [];
  let { sequence, nonce, seal, digests } = from;
  for (const change of changes) {
    if (change.sequence !== ++sequence)
      throw new Error(`the account ${account} has no change ${sequence}, and was to seal it`);
    const text = sealedText(formatChange(account, change));
    seal = sealAfter(seal, text);
    digests += digestOfChange(text);
    nonce = change.nonce;
    if (sequence % BLOCK_CHANGES !== 0) continue;
    blocks.push({ sequence, seal, digests });
    digests = '';
  }
  return { head: { sequence, nonce, seal, digests }, blocks, headSequence };
}

/** The seal as responses and `transactions seals` show it. */
export const formatSeal = (account: string, { sequence, nonce, seal }: SealedUpTo) => ({
  sequence,
  id: nonce === null ? null : changeId(account, { sequence, nonce }),
  seal,
});

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
