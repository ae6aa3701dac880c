import type { Archive } from '../../ledger/archives/archive.ts';
import { NO_SEAL } from '../../ledger/seals/seal.ts';
import type { StoredRow } from '../verify/verify-reader.ts';
import { ArchiveFailed } from './account-archiver.ts';
import {
  ARCHIVE_HEADER,
  type ArchivedRange,
  ArchiveManifest,
  archiveLine,
  fileName,
  manifestName,
} from './archive-file.ts';
import type { ArchiveFile, ArchiveFiles, ArchiveOptions } from './archive-options.ts';
import { ROWS_PER_READ, rowsOf } from './archived-rows.ts';

interface Written {
  range: ArchivedRange;
  file: ArchiveFile;
  manifest: ArchiveManifest;
}

/** Writes what is to be archived to a file without a name; undefined if there is nothing. */
export async function write(
  account: string,
  before: Archive | undefined,
  { reader, files, beforeMs, onProgress }: ArchiveOptions,
): Promise<Written | undefined> {
  const { head, closedAtSequence } = await reader.readHead(account);
  // The account is being erased, and a part of it can be missing.
  if (closedAtSequence !== null) return undefined;
  const range: ArchivedRange = {
    account,
    beforeMs: Math.max(beforeMs, before?.beforeMs ?? beforeMs),
    floorSequence: before?.floorSequence ?? 0,
    floorNonce: before?.floorNonce ?? 0,
    floorSeal: before?.floorSeal ?? NO_SEAL,
  };
  const manifest = new ArchiveManifest();
  let file: ArchiveFile | undefined;
  let text = ARCHIVE_HEADER;
  manifest.add(ARCHIVE_HEADER);
  try {
    for await (const row of rowsOf(reader, { ...range, floorSequence: head ?? 0 })) {
      file ??= await files.create();
      const line = archiveLine(account, row);
      manifest.add(line, row);
      text += line;
      if ((row.finalSequence as number) > range.floorSequence) {
        range.floorSequence = row.finalSequence as number;
        range.floorNonce = row.finalNonce as number;
      }
      if (manifest.rows % ROWS_PER_READ !== 0) continue;
      await file.write(text);
      text = '';
      onProgress('writing', account, manifest.rows);
    }
    if (file === undefined) return undefined;
    await file.write(text);
    return { range, file, manifest };
  } catch (error) {
    file?.discard();
    throw error;
  }
}

export async function writeManifest(
  range: ArchivedRange,
  manifest: ArchiveManifest,
  files: ArchiveFiles,
): Promise<void> {
  const file = await files.create();
  try {
    await file.write(manifest.text(range));
    await file.keep(manifestName(range));
  } finally {
    file.discard();
  }
}

/** An earlier run ended before it wrote the manifest, and so before it removed anything. Throws: ArchiveFailed. */
export async function writeManifestAgain(
  range: ArchivedRange,
  { reader, files }: ArchiveOptions,
): Promise<void> {
  const manifest = new ArchiveManifest();
  const lines = files.readLines(fileName(range))[Symbol.asyncIterator]();
  const expect = async (line: string, row?: StoredRow) => {
    if ((await lines.next()).value !== line)
      throw new ArchiveFailed(
        `an archive of the account ${range.account} has begun, and the folder does not have its whole file ${fileName(range)}: name the folder that has it`,
      );
    manifest.add(line, row);
  };
  try {
    await expect(ARCHIVE_HEADER);
    for await (const row of rowsOf(reader, range)) await expect(archiveLine(range.account, row), row);
  } finally {
    await lines.return?.();
  }
  await writeManifest(range, manifest, files);
}
