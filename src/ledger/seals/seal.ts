import { createHash, hash } from 'node:crypto';
import { type ChangeResult, changeId, type FormattedChange, formatChange } from '../changes/change.ts';

export const SEAL_FORM = '^[0-9a-f]{64}$';
export const NO_SEAL = '0'.repeat(64);
/** A block ends with each change whose number is a multiple of this. */
export const BLOCK_CHANGES = 64;
/** 48 bits of base64url. */
export const DIGEST_CHARACTERS = 8;

interface SealedUpTo {
  sequence: number;
  /** Null if no change is sealed, or if the nonce is not known. */
  nonce: number | null;
  seal: string;
}

export interface SealHead extends SealedUpTo {
  /** The digests of the sealed changes after the last whole block. */
  digests: string;
}

export interface SealBlock {
  /** The number of the block's last change. */
  sequence: number;
  seal: string;
  digests: string;
}

export interface Sealing {
  head: SealHead;
  blocks: SealBlock[];
  headSequence: number;
}

export const UNSEALED: SealHead = { sequence: 0, nonce: null, seal: NO_SEAL, digests: '' };

/** A seal covers a change's values in the feed, but not its details, because details can be removed. */
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

export const sealAfter = (seal: string, text: string): string =>
  hash('sha256', Buffer.concat([Buffer.from(seal, 'hex'), Buffer.from(text)]), 'hex');

export const digestOfChange = (text: string): string =>
  hash('sha256', text, 'base64url').slice(0, DIGEST_CHARACTERS);

export class DigestOfChanges {
  readonly #hash = createHash('sha256');

  add(text: string): void {
    this.#hash.update(hash('sha256', text, 'buffer'));
  }

  hex(): string {
    return this.#hash.digest('hex');
  }
}

/** Throws: Error if a change is missing, or if the last sealed change was replaced. */
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

export const formatSeal = (account: string, { sequence, nonce, seal }: SealedUpTo) => ({
  sequence,
  id: nonce === null ? null : changeId(account, { sequence, nonce }),
  seal,
});
