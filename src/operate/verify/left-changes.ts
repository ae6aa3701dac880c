import type { Archive } from '../../ledger/archives/archive.ts';
import { type Change, formatChange } from '../../ledger/changes/change.ts';
import { DigestOfChanges, sealedText } from '../../ledger/seals/seal.ts';
import type { StoredChange, StoredRow } from './stored.ts';
import type { VerifyReader } from './verify-reader.ts';

const CHANGES_PER_READ = 1000;

type Archived = Pick<Archive, 'beforeMs' | 'floorSequence'>;

/**
 * True if an archive covers a transaction. An interrupted archive has not removed all of its transactions
 * yet.
 */
export const isOfArchive = (
  { createdAtMs, finalSequence }: Pick<StoredRow, 'createdAtMs' | 'finalSequence'>,
  { beforeMs, floorSequence }: Archived,
): boolean => createdAtMs < beforeMs && finalSequence !== null && finalSequence <= floorSequence;

/** The changes of an account up to a number, in their order. */
export async function* changesUpTo(
  reader: Pick<VerifyReader, 'readFeed'>,
  account: string,
  upTo: number,
): AsyncGenerator<StoredChange, undefined> {
  for (let after = 0; ; ) {
    const changes = await reader.readFeed(account, after, upTo, CHANGES_PER_READ);
    yield* changes;
    const last = changes.at(-1);
    if (last === undefined || changes.length < CHANGES_PER_READ) return undefined;
    after = last.sequence;
  }
}

/**
 * The digest of the changes that an archive leaves below its floor: the seals of later changes do not cover
 * them.
 */
export async function restOf(
  reader: Pick<VerifyReader, 'readFeed'>,
  account: string,
  archive: Archived,
): Promise<string> {
  const digest = new DigestOfChanges();
  for await (const change of changesUpTo(reader, account, archive.floorSequence))
    if (!isOfArchive(change.row, archive)) digest.add(sealedTextOf(account, change));
  return digest.hex();
}

/** The text of a change. If values are damaged, it differs from every sealed text. */
export function sealedTextOf(account: string, change: Change): string {
  try {
    return sealedText(formatChange(account, change));
  } catch {
    return 'damaged';
  }
}
