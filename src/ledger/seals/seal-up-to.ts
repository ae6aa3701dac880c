import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../../values/batch-size.ts';
import type { SealHead, Sealing } from './seal.ts';
import type { Sealer } from './seals.ts';

/** How long a read aims to take: on SQLite, searches wait for it. */
const READ_MS = 20;
/** The most reads before a write. */
const MAX_READS = 16;

interface SealingOptions {
  isStopped(): boolean;
  monotonicMs(): number;
  /** Resolves after a pause in which requests and recordings can work. */
  pause(): Promise<void>;
}

interface SealingRange {
  upTo?: number;
  atMost?: number;
}

interface Sealed {
  changes: number;
  /** The last sealed change, and the head sequence when it was read. */
  sequence: number;
  headSequence: number;
}

/**
 * Seals the changes of an account that are not sealed, in short steps. It ends early if the service stops, if
 * another instance seals the changes, or if the history was replaced.
 *
 * A write can wait for other programs, as on SQLite during an import. Then it stores what several reads have
 * sealed.
 *
 * Throws: Error if the changes do not continue the sealed ones.
 */
export async function sealUpTo(
  sealer: Sealer,
  account: string,
  { upTo = Number.POSITIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: SealingRange,
  { isStopped, monotonicMs, pause }: SealingOptions,
): Promise<Sealed> {
  let from = await sealer.readSeal(account);
  const begin = from.sequence;
  const end = Math.min(upTo, begin + atMost);
  let headSequence = begin;
  let size = FIRST_BATCH_SIZE;
  let reads = 1;
  while (from.sequence < end && !isStopped()) {
    const next: Sealing = { head: from, blocks: [], headSequence };
    let readMs = 0;
    let longestMs = 0;
    for (let read = 0; read < reads; read++) {
      const limit = Math.min(size, end - next.head.sequence);
      if (limit === 0) break;
      if (read > 0) await pause();
      const startedAtMs = monotonicMs();
      const sealing = await sealer.sealChanges(account, next.head, limit);
      const tookMs = monotonicMs() - startedAtMs;
      readMs += tookMs;
      longestMs = Math.max(longestMs, tookMs);
      next.head = sealing.head;
      next.blocks.push(...sealing.blocks);
      next.headSequence = sealing.headSequence;
      if (next.head.sequence >= next.headSequence) break;
    }
    headSequence = next.headSequence;
    if (next.head.sequence === from.sequence) break;
    const readAtMs = monotonicMs();
    if (!(await sealer.storeSeals(account, from, next))) break;
    const writeMs = monotonicMs() - readAtMs;
    from = next.head;
    size = batchSizeAfter(size, longestMs, READ_MS);
    reads = Math.min(writeMs > readMs ? 2 * reads : Math.ceil(reads / 2), MAX_READS);
    if (from.sequence >= headSequence) break;
    await pause();
  }
  return { changes: from.sequence - begin, sequence: from.sequence, headSequence };
}

/**
 * The seal of an account at a change, from the one at an earlier change. Throws: Error if a change between
 * them is missing.
 */
export async function sealAt(
  sealer: Pick<Sealer, 'sealChanges'>,
  account: string,
  from: Pick<SealHead, 'sequence' | 'seal'>,
  sequence: number,
): Promise<string> {
  if (sequence === from.sequence) return from.seal;
  const { head } = await sealer.sealChanges(
    account,
    { ...from, nonce: null, digests: '' },
    sequence - from.sequence,
  );
  if (head.sequence !== sequence) throw new Error(`the account ${account} has no change ${sequence}`);
  return head.seal;
}
