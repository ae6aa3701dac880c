import { sentence } from '../../../values/sentence.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { auditEntry } from '../../audit/audit.ts';
import type { Archive } from '../../ledger/archives/archive.ts';
import {
  BLOCK_CHANGES,
  DigestOfChanges,
  NO_SEAL,
  type SealHead,
  sealAfter,
  UNSEALED,
} from '../../ledger/seals/seal.ts';
import { sealUpTo } from '../../ledger/seals/seals.ts';
import { changesUpTo, isOfArchive, sealedTextOf } from '../row-up-to.ts';
import type { VerifyReader } from '../verify-reader.ts';
import { ArchiveFailed, type Outstanding } from './account-archiver.ts';
import { archiveDetail } from './archive.ts';
import { type ArchivedRange, fileName, manifestName, rowsToArchive } from './archive-file.ts';
import type { ArchiveOptions } from './archive-options.ts';
import { removeArchived } from './remove-archived.ts';
import { write, writeManifest, writeManifestAgain } from './write-archive.ts';

export type ArchiveResult = { account: string } & (
  | { outcome: 'archived'; files: string[]; transactions: number }
  | { outcome: 'outstanding'; outstanding: Outstanding[] }
);

/** Before transactions are removed, the archive file is read again, to check that it has each of them. */
export async function* archiveAccounts(
  accounts: AsyncIterable<string> | Iterable<string>,
  options: ArchiveOptions,
): AsyncGenerator<ArchiveResult> {
  for await (const account of accounts) {
    const files: string[] = [];
    let transactions = 0;
    const remove = async (range: ArchivedRange) => {
      await options.archiver.removeUnfinishedExports(account);
      transactions += await removeArchived(range, options);
      files.push(fileName(range));
    };
    const unfinished = await findUnfinished(account, options);
    if (unfinished !== undefined) await remove(unfinished);
    const begun = await begin(account, options);
    if (Array.isArray(begun)) yield { account, outcome: 'outstanding', outstanding: begun };
    else {
      if (begun !== undefined) await remove(begun);
      if (files.length > 0) yield { account, outcome: 'archived', files, transactions };
    }
  }
}

async function findUnfinished(account: string, options: ArchiveOptions): Promise<ArchivedRange | undefined> {
  const { reader, files } = options;
  const before = await reader.readArchive(account);
  if (before === undefined) return undefined;
  const range: ArchivedRange = { account, ...before };
  for await (const _ of rowsToArchive(reader, range)) {
    if ((await files.readText(manifestName(range))) === undefined) await writeManifestAgain(range, options);
    return range;
  }
  return undefined;
}

async function begin(
  account: string,
  options: ArchiveOptions,
): Promise<ArchivedRange | Outstanding[] | undefined> {
  const { reader, archiver, files, stamp } = options;
  const before = await reader.readArchive(account);
  const written = await write(account, before, options);
  if (written === undefined) return undefined;
  const { range, file, manifest } = written;
  try {
    Object.assign(range, await sealFloor(range, before, options));
    // An interrupted run leaves a file without a manifest. If the new file differed, `keep` would throw.
    if ((await files.readText(manifestName(range))) === undefined) await files.remove(fileName(range));
    await file.keep(fileName(range));
  } finally {
    file.discard();
  }
  const { account: _, ...stored } = range;
  const archive: Archive = { ...stored, removedChanges: before?.removedChanges ?? 0 };
  const entry = auditEntry(stamp(), 'account.archived', account, null, archiveDetail(account, archive));
  const outstanding = await archiver.store(account, archive, before, entry);
  if (outstanding.length > 0) {
    await files.remove(fileName(range));
    return outstanding;
  }
  // The manifest is written last. It shows that the file is complete and that the archive is stored.
  await writeManifest(range, manifest, files);
  return range;
}

async function sealFloor(
  range: ArchivedRange,
  before: Archive | undefined,
  { store, reader, monotonicMs, sleep }: ArchiveOptions,
): Promise<Pick<Archive, 'floorSeal' | 'rest'>> {
  const { account, floorSequence: upTo } = range;
  const pause = async () => void (await sleep(1));
  // If a running service seals at the same time, `sealUpTo` returns early and is called again.
  for (let sequence = 0; sequence < upTo; ) {
    const options = { isStopped: () => false, monotonicMs, pause };
    const sealed = await sealUpTo(store, account, { upTo }, options).catch((error: Error) => {
      throw error instanceof StoreUnavailable ? error : notAsSealed(account, error.message);
    });
    if (sealed.headSequence < upTo) throw new ArchiveFailed(`The account ${account} was erased meanwhile.`);
    sequence = sealed.sequence;
  }
  const { sequence: end, seal: expected } = await sealFrom(reader, account, upTo);
  const [restBefore, rest] = [new DigestOfChanges(), new DigestOfChanges()];
  let { floorSequence: reached, floorSeal: seal } = before ?? { floorSequence: 0, floorSeal: NO_SEAL };
  let floorSeal = seal;
  for await (const change of changesUpTo(reader, account, end)) {
    const { sequence, row } = change;
    const text = sealedTextOf(account, change);
    if (sequence <= (before?.floorSequence ?? 0)) restBefore.add(text);
    if (sequence <= upTo && !isOfArchive(row, range)) rest.add(text);
    if (sequence !== reached + 1) continue;
    seal = sealAfter(seal, text);
    reached = sequence;
    if (sequence === upTo) floorSeal = seal;
  }
  if (seal !== expected || (before !== undefined && restBefore.hex() !== before.rest))
    throw notAsSealed(account, 'changes are not those that were sealed');
  return { floorSeal, rest: rest.hex() };
}

const notAsSealed = (account: string, reason: string) =>
  new ArchiveFailed(
    `The account ${account} can't be sealed: ${sentence(reason)} "transactions verify" names the faulty changes.`,
  );

async function sealFrom(
  reader: VerifyReader,
  account: string,
  sequence: number,
): Promise<Pick<SealHead, 'sequence' | 'seal'>> {
  const head = (await reader.readSealHead(account)) ?? UNSEALED;
  const [block] = await reader.readSealBlocks(account, sequence - 1, sequence + BLOCK_CHANGES);
  return block !== undefined && block.sequence <= head.sequence ? block : head;
}
