import type { Archive } from '../../ledger/archives/archive.ts';
import { NO_SEAL } from '../../ledger/seals/seal.ts';
import type { StoredRow } from '../stored-rows.ts';
import { ArchiveFailed } from './account-archiver.ts';
import { ARCHIVE_HEADERS, type ArchiveForm } from './archive.ts';
import {
  type ArchivedRange,
  ArchiveManifest,
  archiveLine,
  fileName,
  formOf,
  isLineOf,
  manifestName,
  ROWS_PER_READ,
  rowsToArchive,
} from './archive-file.ts';
import type { ArchiveFile, ArchiveFiles, ArchiveOptions } from './archive-options.ts';

interface Written {
  range: ArchivedRange;
  file: ArchiveFile;
  manifest: ArchiveManifest;
}

export async function write(
  account: string,
  before: Archive | undefined,
  options: ArchiveOptions,
): Promise<Written | undefined> {
  for (const form of ['usual', 'wide'] as const) {
    const written = await writeIn(form, account, before, options);
    if (written !== 'needs the other form') return written;
  }
  throw new Error('a wide file has a column for everything');
}

async function writeIn(
  form: ArchiveForm,
  account: string,
  before: Archive | undefined,
  { reader, files, beforeMs, onProgress }: ArchiveOptions,
): Promise<Written | 'needs the other form' | undefined> {
  const { head, closedAtSequence } = await reader.readHead(account);
  // The account is being erased, so some of its transactions can be missing.
  if (closedAtSequence !== null) return undefined;
  const range: ArchivedRange = {
    account,
    beforeMs: Math.max(beforeMs, before?.beforeMs ?? beforeMs),
    floorSequence: before?.floorSequence ?? 0,
    floorNonce: before?.floorNonce ?? 0,
    floorSeal: before?.floorSeal ?? NO_SEAL,
    rest: '',
  };
  const manifest = new ArchiveManifest();
  let file: ArchiveFile | undefined;
  let text = ARCHIVE_HEADERS[form];
  manifest.add(text);
  try {
    for await (const row of rowsToArchive(reader, { ...range, floorSequence: head ?? 0 })) {
      if (form === 'usual' && formOf(row) === 'wide') {
        file?.discard();
        return 'needs the other form';
      }
      file ??= await files.create();
      const line = archiveLine(account, row, form);
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

export async function writeManifestAgain(
  range: ArchivedRange,
  { reader, files }: ArchiveOptions,
): Promise<void> {
  const manifest = new ArchiveManifest();
  const lines = files.readLines(fileName(range))[Symbol.asyncIterator]();
  const expect = async (isExpected: (line: string) => boolean, row?: StoredRow): Promise<string> => {
    const { value: line } = await lines.next();
    if (line === undefined || !isExpected(line))
      throw new ArchiveFailed(
        `An archive of the account ${range.account} was begun, and is not complete in this folder: name the folder that has its complete file ${fileName(range)}.`,
      );
    manifest.add(line, row);
    return line;
  };
  try {
    const header = await expect((line) => Object.values(ARCHIVE_HEADERS).includes(line));
    const form = header === ARCHIVE_HEADERS.wide ? 'wide' : 'usual';
    for await (const row of rowsToArchive(reader, range))
      await expect((line) => isLineOf(line, range.account, row, form), row);
  } finally {
    await lines.return?.();
  }
  await writeManifest(range, manifest, files);
}
