import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../../values/batch-size.ts';
import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';
import { type SealHead, type Sealing, UNSEALED } from './seal.ts';

export interface SealReader {
  readSeal(account: string): Promise<SealHead>;
}

export interface UnsealedLister {
  /** Reads `limit` accounts. Returns those with unsealed changes, and `last`, the last account it read. */
  listUnsealed(
    afterAccount: string,
    limit: number,
  ): Promise<{ accounts: UnsealedAccount[]; last: string | null }>;
}

interface UnsealedAccount {
  account: string;
  changes: number;
}

export interface Sealer extends SealReader {
  /** Stores nothing. Throws: Error if the changes do not continue the sealed changes. */
  sealChanges(account: string, from: SealHead, limit: number): Promise<Sealing>;
  /** Returns false if another instance has sealed changes after `from`, or if the history was replaced. */
  storeSeals(account: string, from: SealHead, sealing: Sealing): Promise<boolean>;
}

const sql = statementsOf(new URL('./seals.sql', import.meta.url));
export const READ_SEAL = sql('readSeal', (row) => ({
  sequence: row.integer(),
  nonce: row.integerOrNull(),
  seal: row.text(),
  digests: row.text(),
}));
export const READ_SEAL_BLOCKS = sql('readBlocks', (row) => ({
  sequence: row.integer(),
  seal: row.text(),
  digests: row.text(),
}));
const COMMIT_LATER = sql('commitLater', (row) => row.text());
const BEGIN = sql('beginSeal');
const LOCK = sql('lockSeal', (row) => row.integer());
const ADD_BLOCKS = sql('addBlocks');
const STORE = sql('storeSeal', (row) => row.integer());
const LIST_UNSEALED = sql('listUnsealed', (row) => ({
  account: row.text(),
  changes: row.integer(),
}));

export const sealStore = (db: Db): Omit<Sealer, 'sealChanges'> & UnsealedLister => ({
  readSeal: async (account) => (await db.read(READ_SEAL, { account }))[0] ?? UNSEALED,
  storeSeals: async (account, from, { head, blocks }) => {
    const values = { ...head, account, from: from.sequence, blocks: JSON.stringify(blocks) };
    const results = await db.write({ turn: 'stream', isUnsynced: true }, [
      { statement: COMMIT_LATER, values },
      ...(from.sequence === 0 ? [{ statement: BEGIN, values }] : []),
      { statement: LOCK, values },
      ...(blocks.length === 0 ? [] : [{ statement: ADD_BLOCKS, values }]),
      { statement: STORE, values },
    ]);
    return results.at(-1)?.length === 1;
  },
  listUnsealed: async (after, limit) => {
    const listed = await db.read(LIST_UNSEALED, { after, limit }, 'long');
    return {
      accounts: listed.filter(({ changes }) => changes > 0),
      last: listed.at(-1)?.account ?? null,
    };
  },
});

const READ_MS = 10;
const MAX_READS = 16;

interface SealingOptions {
  isStopped(): boolean;
  monotonicMs(): number;
  pause(): Promise<void>;
}

interface Sealed {
  changes: number;
  sequence: number;
  headSequence: number;
}

export async function sealUpTo(
  sealer: Sealer,
  account: string,
  { upTo = Infinity, atMost = Infinity }: { upTo?: number; atMost?: number },
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
