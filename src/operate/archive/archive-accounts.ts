import type { Archive } from '../../ledger/archives/archive.ts';
import { addToTotals } from '../../ledger/totals/add-to-totals.ts';
import { readNumbers } from '../../ledger/totals/utc-totals.ts';
import { accountArchived, accountUnarchived } from '../audited-accounts.ts';
import { type ArchivedRange, fileName, manifestName } from './archive-file.ts';
import type { ArchiveOptions } from './archive-options.ts';
import { rowsOf } from './archived-rows.ts';
import { findOutstanding, type Outstanding } from './outstanding.ts';
import { removeArchived } from './remove-archived.ts';
import { write, writeManifest, writeManifestAgain } from './write-archive.ts';

/** The number of accounts that wait together. */
const ACCOUNTS_PER_WAIT = 2000;

/** What became of an account that has something to archive. */
export type ArchiveResult = { account: string } & (
  | { outcome: 'archived'; files: string[]; transactions: number }
  /** Nothing of the account was removed: these deliveries need what would be. */
  | { outcome: 'outstanding'; outstanding: Outstanding[] }
);

type Archived = Extract<ArchiveResult, { outcome: 'archived' }>;

/** An account whose archive is stored. */
interface Begun {
  range: ArchivedRange;
  /** What it had before; undefined without an archive. */
  before: Archive | undefined;
  /** Whether an earlier run began it, and may have removed a part. */
  isResumed: boolean;
  /** What this run has archived of the account already. */
  done: Archived;
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
    const done: Archived = { account, outcome: 'archived', files: [], transactions: 0 };
    const begun = (await resume(done, options)) ?? (await begin(done, options));
    if (begun !== undefined && 'outcome' in begun) yield begun;
    else if (begun !== undefined) group.push(begun);
    if (group.length < ACCOUNTS_PER_WAIT) continue;
    yield* end(group, options);
    group = [];
  }
  yield* end(group, options);
  return undefined;
}

/** The archive of an account that an earlier run has not completed. */
async function resume(done: Archived, options: ArchiveOptions): Promise<Begun | undefined> {
  const { account } = done;
  const { reader, files } = options;
  const before = await reader.readArchive(account);
  if (before === undefined) return undefined;
  const range: ArchivedRange = { account, ...before };
  for await (const _ of rowsOf(reader, range)) {
    if ((await files.readText(manifestName(range))) === undefined) await writeManifestAgain(range, options);
    return { range, before, isResumed: true, done };
  }
  return undefined;
}

/** Writes the file of an account, and stores its archive. Undefined if there is nothing to archive. */
async function begin(done: Archived, options: ArchiveOptions): Promise<Begun | ArchiveResult | undefined> {
  const { account } = done;
  const { reader, archiver, files, stamp } = options;
  const before = await reader.readArchive(account);
  const written = await write(account, before, options);
  if (written === undefined) return undefined;
  const { range, file, manifest } = written;
  try {
    const outstanding = await findOutstanding(reader, account, range.floorSequence);
    if (outstanding.length > 0) return { account, outcome: 'outstanding', outstanding };
    await addUpTo(range, options);
    await file.keep(fileName(range));
  } finally {
    file.discard();
  }
  const archive = storedArchive(range, before);
  await archiver.replace(account, archive, before, accountArchived(account, archive, stamp()));
  // A file with a manifest is whole, and its archive is stored.
  await writeManifest(range, manifest, files);
  return { range, before, isResumed: false, done };
}

/** The archive of an account with a further file, of which nothing is removed yet. */
const storedArchive = ({ account: _, ...range }: ArchivedRange, before: Archive | undefined): Archive => ({
  ...range,
  removedChanges: before?.removedChanges ?? 0,
});

/** Waits until every replay that was asked for before the archives were stored is stored, and removes what is in the files. */
async function* end(
  group: readonly Begun[],
  options: ArchiveOptions,
): AsyncGenerator<ArchiveResult, undefined> {
  const { requestTimeoutMs, sleep, onWait } = options;
  for (let next = group; next.length > 0; ) {
    onWait(requestTimeoutMs);
    await sleep(requestTimeoutMs);
    const again: Begun[] = [];
    for (const begun of next) {
      const result = await remove(begun, options);
      // There can be more since the earlier run.
      const more = begun.isResumed && 'files' in result ? await begin(result, options) : undefined;
      if (more === undefined) yield result;
      else if ('outcome' in more) yield more;
      else again.push(more);
    }
    next = again;
  }
  return undefined;
}

async function remove(
  { range, before, isResumed, done }: Begun,
  options: ArchiveOptions,
): Promise<ArchiveResult> {
  const { reader, archiver, files, stamp } = options;
  const { account, floorSequence } = range;
  // A replay can have been asked for before the archive was stored.
  const outstanding = isResumed ? [] : await findOutstanding(reader, account, floorSequence);
  if (outstanding.length > 0) {
    const entry = accountUnarchived(account, stamp());
    await archiver.replace(account, before, storedArchive(range, before), entry);
    for (const name of [manifestName(range), fileName(range)]) await files.remove(name);
    return { account, outcome: 'outstanding', outstanding };
  }
  await archiver.removeUnfinishedExports(account);
  const transactions = done.transactions + (await removeArchived(range, options));
  return { ...done, files: [...done.files, fileName(range)], transactions };
}

/** Adds the changes of an account up to the floor to its totals, so that what is removed can be taken off its totals. */
async function addUpTo(
  { account, floorSequence: upTo }: ArchivedRange,
  { store, monotonicMs, sleep }: ArchiveOptions,
): Promise<void> {
  for (;;) {
    const { totalsSequence: from } = await readNumbers(store, account);
    if (from >= upTo) return;
    const pause = async () => void (await sleep(1));
    // A running service can add some meanwhile: this one continues after them.
    await addToTotals(store, account, { from, upTo }, { isStopped: () => false, monotonicMs, pause });
  }
}
