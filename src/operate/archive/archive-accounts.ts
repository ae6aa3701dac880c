import type { Archive } from '../../ledger/archives/archive.ts';
import { ARCHIVE_KNOWN_FOR_MS } from '../../ledger/archives/archived-days.ts';
import { foldChanges } from '../../ledger/totals/fold-totals.ts';
import type { TotalsFolder } from '../../ledger/totals/totals.ts';
import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../values/batch-size.ts';
import { readAllRows } from '../verify/read-rows.ts';
import type { StoredRow, VerifyReader } from '../verify/verify-reader.ts';
import { type AccountArchiver, ArchiveFailed } from './account-archiver.ts';
import {
  ARCHIVE_HEADER,
  type ArchivedRange,
  ArchiveManifest,
  archiveLine,
  archiveName,
} from './archive-file.ts';
import { findOutstanding, type Outstanding } from './outstanding.ts';

const ROWS_PER_READ = 1000;
/** So many accounts wait together. */
const ACCOUNTS_PER_WAIT = 200;
/** How long a removal aims to take: recordings of the account wait no longer for it. */
const STEP_MS = 20;

/** The files of archives. */
export interface ArchiveFiles {
  create(): Promise<ArchiveFile>;
  /** The text of a file; undefined if there is none. */
  readText(name: string): Promise<string | undefined>;
  /** The lines of a file, each with its line end. */
  readLines(name: string): AsyncIterable<string>;
}

/** A file without a name. */
export interface ArchiveFile {
  write(text: string): Promise<void>;
  /** Writes everything to the disk, and gives the file its name. Throws if another file has the name, unless it has the same content. */
  keep(name: string): Promise<void>;
  /** Removes the file if it has no name. */
  discard(): void;
}

export interface ArchiveOptions {
  reader: VerifyReader;
  archiver: AccountArchiver;
  store: Pick<TotalsFolder, 'sumChanges' | 'fold'>;
  files: ArchiveFiles;
  /** Final transactions that were created before it are archived: the beginning of a day. */
  beforeMs: number;
  requestTimeoutMs: number;
  monotonicMs(): number;
  sleep(milliseconds: number): Promise<unknown>;
  onProgress(step: 'writing' | 'removing', account: string, transactions: number): void;
}

/** What became of an account that has something to archive. */
export type ArchiveResult = { account: string } & (
  | { outcome: 'archived'; files: string[]; transactions: number }
  /** Nothing of it was removed: these deliveries need what would be. */
  | { outcome: 'outstanding'; outstanding: Outstanding[] }
);

/** Whose archive is stored, and of which nothing is removed yet. */
interface Begun {
  range: ArchivedRange;
  before: Archive | undefined;
  /** What an earlier run had left. */
  earlier: { files: string[]; transactions: number };
}

/**
 * Writes the final transactions of accounts that were created before a day to a file for each account, and then removes them, beside a running
 * service and in short transactions of the database. Each is removed only if the file, which was read again, has its line. Interrupted
 * anywhere, it is completed by running it again with the same folder.
 *
 * Yields the accounts that have something to archive. Throws: ArchiveFailed.
 */
export async function* archiveAccounts(
  accounts: AsyncIterable<string> | Iterable<string>,
  options: ArchiveOptions,
): AsyncGenerator<ArchiveResult, undefined> {
  let group: Begun[] = [];
  for await (const account of accounts) {
    const begun = await begin(account, options);
    if (begun !== undefined && 'outcome' in begun) yield begun;
    else if (begun !== undefined) group.push(begun);
    if (group.length < ACCOUNTS_PER_WAIT) continue;
    yield* end(group, options);
    group = [];
  }
  yield* end(group, options);
  return undefined;
}

/** Completes what an earlier run has begun, writes the files of an account, and stores its archive. Undefined if there is nothing to do. */
async function begin(account: string, options: ArchiveOptions): Promise<Begun | ArchiveResult | undefined> {
  const { reader, archiver } = options;
  const earlier: Begun['earlier'] = { files: [], transactions: 0 };
  const unfinished = await findUnfinished(account, options);
  if (unfinished !== undefined) {
    earlier.transactions = await removeArchived(unfinished, options);
    earlier.files.push(fileName(unfinished));
  }
  const before = await reader.readArchive(account);
  const written = await write(account, before, options);
  if (written === undefined)
    return unfinished === undefined ? undefined : { account, outcome: 'archived', ...earlier };
  const { range, file } = written;
  try {
    const outstanding = await findOutstanding(reader, account, range.floorSequence);
    if (outstanding.length > 0) return { account, outcome: 'outstanding', outstanding };
    await foldUpTo(range, options);
    await keep(written, options);
  } finally {
    file.discard();
  }
  await archiver.store(account, range);
  return { range, before, earlier };
}

/** Waits until every request that began before the archives were stored has ended, and removes what is in the files. */
async function* end(
  group: readonly Begun[],
  options: ArchiveOptions,
): AsyncGenerator<ArchiveResult, undefined> {
  const { reader, archiver, requestTimeoutMs, sleep } = options;
  if (group.length > 0) await sleep(ARCHIVE_KNOWN_FOR_MS + requestTimeoutMs);
  for (const { range, before, earlier } of group) {
    const { account, floorSequence } = range;
    // A replay can have been asked for before.
    const outstanding = await findOutstanding(reader, account, floorSequence);
    if (outstanding.length > 0) {
      await archiver.store(account, before);
      yield { account, outcome: 'outstanding', outstanding };
      continue;
    }
    await archiver.removeUnfinishedExports(account);
    const transactions = earlier.transactions + (await removeArchived(range, options));
    yield { account, outcome: 'archived', files: [...earlier.files, fileName(range)], transactions };
  }
  return undefined;
}

const fileName = (range: ArchivedRange) => `${archiveName(range)}.csv`;
const manifestName = (range: ArchivedRange) => `${archiveName(range)}.json`;

const isArchived = ({ finalSequence }: StoredRow, floorSequence: number) =>
  finalSequence !== null && finalSequence <= floorSequence;

/** The transactions of an account that are archived, or are to be, up to a sequence number. */
async function* rowsOf(
  reader: VerifyReader,
  { account, beforeMs, floorSequence }: Pick<ArchivedRange, 'account' | 'beforeMs' | 'floorSequence'>,
): AsyncGenerator<StoredRow, undefined> {
  for await (const rows of readAllRows(reader, account, { pageSize: ROWS_PER_READ, beforeMs }))
    for (const row of rows) if (isArchived(row, floorSequence)) yield row;
  return undefined;
}

/** An archive of the account whose transactions are not all removed. */
async function findUnfinished(
  account: string,
  { reader }: ArchiveOptions,
): Promise<ArchivedRange | undefined> {
  const archive = await reader.readArchive(account);
  if (archive === undefined) return undefined;
  for await (const _ of rowsOf(reader, { account, ...archive })) return { account, ...archive };
  return undefined;
}

interface Written {
  range: ArchivedRange;
  file: ArchiveFile;
  manifest: ArchiveManifest;
}

/** Writes what is to be archived to a file without a name; undefined if there is nothing. */
async function write(
  account: string,
  before: Archive | undefined,
  { reader, files, beforeMs, onProgress }: ArchiveOptions,
): Promise<Written | undefined> {
  const { head } = await reader.readHead(account);
  const range: ArchivedRange = {
    account,
    beforeMs: Math.max(beforeMs, before?.beforeMs ?? beforeMs),
    floorSequence: before?.floorSequence ?? 0,
    floorNonce: before?.floorNonce ?? 0,
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

async function keep({ range, file, manifest }: Written, { files }: ArchiveOptions): Promise<void> {
  await file.keep(fileName(range));
  // A file with a manifest is whole.
  const beside = await files.create();
  try {
    await beside.write(manifest.text(range));
    await beside.keep(manifestName(range));
  } finally {
    beside.discard();
  }
}

/** Folds the changes of an account up to the floor, so that what is removed can be taken off its totals. */
async function foldUpTo(
  { account, floorSequence: upTo }: ArchivedRange,
  { reader, store, monotonicMs, sleep }: ArchiveOptions,
): Promise<void> {
  for (;;) {
    const { foldedSequence: from } = await reader.readRollUp(account, { from: 0, to: 0 });
    if (from >= upTo) return;
    const pause = async () => void (await sleep(1));
    // A running service can fold meanwhile: then this one goes on after it.
    await foldChanges(store, account, { from, upTo }, { isStopped: () => false, monotonicMs, pause });
  }
}

/** Removes the transactions of a file that the account still has. Returns how many it removed. */
async function removeArchived(range: ArchivedRange, options: ArchiveOptions): Promise<number> {
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
    // Others have the database for at least as long.
    await sleep(Math.ceil(tookMs) + 1);
  };
  try {
    for await (const row of rowsOf(reader, range)) {
      await skipTo(lines, archiveLine(account, row), row);
      batch.push(row);
      if (batch.length >= limit) await removeBatch();
    }
    if (batch.length > 0) await removeBatch();
  } finally {
    await lines.return?.();
  }
  return removed;
}

/** Both are in the order of createdAt and reference, and the file can have transactions that are removed already. */
async function skipTo(lines: AsyncIterator<string>, line: string, { reference }: StoredRow): Promise<void> {
  for (let next = await lines.next(); next.done !== true; next = await lines.next())
    if (next.value === line) return;
  throw new ArchiveFailed(`the file has no line of the transaction ${reference}, which is not removed`);
}

/** Reads a file again, and compares it with its manifest. Throws: ArchiveFailed. */
async function checkFile(range: ArchivedRange, files: ArchiveFiles): Promise<void> {
  const name = fileName(range);
  const written = await files.readText(manifestName(range));
  if (written === undefined)
    throw new ArchiveFailed(
      `an archive of the account ${range.account} has begun, and its file ${name} is not in the folder: name the folder that has it`,
    );
  const { rows, bytes, sha256 } = JSON.parse(written) as Record<string, unknown>;
  const found = new ArchiveManifest();
  for await (const line of files.readLines(name)) found.add(line);
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new ArchiveFailed(
      `the file ${name} has changed: it has ${found.bytes} bytes, and had ${bytes} with ${rows} transactions`,
    );
}
