import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../../values/batch-size.ts';
import type { StoredRow } from '../stored-rows.ts';
import { ArchiveFailed } from './account-archiver.ts';
import { ARCHIVE_HEADERS, type ArchiveForm } from './archive.ts';
import {
  type ArchivedRange,
  ArchiveManifest,
  fileName,
  isLineOf,
  manifestName,
  rowsToArchive,
} from './archive-file.ts';
import type { ArchiveFiles, ArchiveOptions } from './archive-options.ts';

/** How long one removal should take at most, because recordings of the account wait for it. */
const STEP_MS = 20;

export async function removeArchived(range: ArchivedRange, options: ArchiveOptions): Promise<number> {
  const { reader, archiver, files, monotonicMs, sleep, onProgress } = options;
  const { account } = range;
  await checkFile(range, files);
  const lines = files.readLines(fileName(range))[Symbol.asyncIterator]();
  let removed = 0;
  let limit = FIRST_BATCH_SIZE;
  let batch: StoredRow[] = [];
  const removeBatch = async () => {
    const startedAtMs = monotonicMs();
    removed += await archiver.removeRows(account, batch);
    const tookMs = monotonicMs() - startedAtMs;
    limit = batchSizeAfter(batch.length, tookMs, STEP_MS);
    batch = [];
    onProgress('removing', account, removed);
    // After each step, other writers can use the database for at least as long as the step took.
    await sleep(Math.ceil(tookMs) + 1);
  };
  try {
    const { value: header } = await lines.next();
    const form: ArchiveForm = header === ARCHIVE_HEADERS.wide ? 'wide' : 'usual';
    for await (const row of rowsToArchive(reader, range)) {
      await skipTo(lines, (line) => isLineOf(line, account, row, form), row);
      batch.push(row);
      if (batch.length >= limit) await removeBatch();
    }
    if (batch.length > 0) await removeBatch();
  } finally {
    await lines.return?.();
  }
  return removed;
}

async function skipTo(
  lines: AsyncIterator<string>,
  isWanted: (line: string) => boolean,
  { reference }: StoredRow,
): Promise<void> {
  for (let next = await lines.next(); next.done !== true; next = await lines.next())
    if (isWanted(next.value)) return;
  throw new ArchiveFailed(`The file has no line of the transaction ${reference}, which is not removed.`);
}

async function checkFile(range: ArchivedRange, files: ArchiveFiles): Promise<void> {
  const name = fileName(range);
  const written = await files.readText(manifestName(range));
  const { rows, bytes, sha256 } = JSON.parse(written ?? '{}') as Record<string, unknown>;
  const found = new ArchiveManifest();
  for await (const line of files.readLines(name)) found.add(line);
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new ArchiveFailed(
      `The file ${name} has changed: it has ${found.bytes} bytes, and had ${bytes} with ${rows} transactions.`,
    );
}
