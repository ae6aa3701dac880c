import { createHash, hash } from 'node:crypto';
import { type ChangeResult, changeId, type FormattedChange, formatChange } from '../changes/change.ts';

export const SEAL_FORM = '^[0-9a-f]{64}$';
/** The seal before the first change. */
export const NO_SEAL = '0'.repeat(64);
/** How many changes a block has. The sequence number of its last change is a multiple of this. */
export const BLOCK_CHANGES = 64;
/** The characters of the digest of a change: 48 bits. */
export const DIGEST_CHARACTERS = 8;

/** An account's seal at the change `sequence`, in hexadecimal digits. */
interface SealedUpTo {
  /** 0 if no change is sealed. */
  sequence: number;
  /** Null if no change is sealed, or if the nonce is not known. */
  nonce: number | null;
  seal: string;
}

export interface SealHead extends SealedUpTo {
  /** The digests of the sealed changes that follow the last whole block. */
  digests: string;
}

/** The seal at a block's end, and a digest of each change in it, which shows if that change was altered. */
export interface SealBlock {
  /** The number of the block's last change. */
  sequence: number;
  seal: string;
  digests: string;
}

/** The result of sealing further changes of an account. */
export interface Sealing {
  head: SealHead;
  blocks: SealBlock[];
  /** The head sequence of the account when the changes were read. */
  headSequence: number;
}

/** The head of an account before its first change is sealed. */
export const UNSEALED: SealHead = { sequence: 0, nonce: null, seal: NO_SEAL, digests: '' };

/**
 * The text of a change that is sealed: the change's values in the feed, as a JSON array without white space.
 * Details are left out, because they can be removed. JSON.stringify escapes only what JSON requires.
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

/** The seal at a change, made from the previous seal and the text of the change. */
export const sealAfter = (seal: string, text: string): string =>
  hash('sha256', Buffer.concat([Buffer.from(seal, 'hex'), Buffer.from(text)]), 'hex');

export const digestOfChange = (text: string): string =>
  hash('sha256', text, 'base64url').slice(0, DIGEST_CHARACTERS);

/** The SHA-256 of the digests of changes, in order. The digest of a change is the SHA-256 of its text. */
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
 * Throws: Error if the change at `from` is not the sealed one, or if the changes have a gap, because of
 * damage or because somebody changed rows with SQL. Nothing is sealed then.
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
      throw new Error(`the account ${account} has no change ${sequence} to seal`);
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

/** Formats a seal for responses and `transactions seals`. */
export const formatSeal = (account: string, { sequence, nonce, seal }: SealedUpTo) => ({
  sequence,
  id: nonce === null ? null : changeId(account, { sequence, nonce }),
  seal,
});
