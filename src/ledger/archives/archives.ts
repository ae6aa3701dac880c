import { inGroups, READS_AT_ONCE } from '../../../values/in-groups.ts';
import type { ArchiveReader } from './archive.ts';

/** How old a transaction must be to be archived. */
export const NEVER_ARCHIVED_MS = 24 * 3_600_000;
/**
 * How old a transaction must be for an import to look for an archive. It is less than NEVER_ARCHIVED_MS,
 * because clocks can differ.
 */
const LOOK_UP_AGE_MS = NEVER_ARCHIVED_MS / 2;
const MAX_REMEMBERED = 100_000;

/** Returns the transactions of archived days, each with the end of its account's archived days. */
export type FindArchived = <Created extends { account: string; createdAtMs: number }>(
  transactions: readonly Created[],
) => Promise<Map<Created, number>>;

/**
 * Finds the lines of an import that are on archived days. The archive of each account is read once and then
 * remembered. That is enough to report faults early: a recording reads the archive again in its own database
 * transaction.
 */
export function archivedFinder(reader: ArchiveReader, now: () => number): FindArchived {
  const known = new Map<string, number>();
  const look = async (account: string) => {
    const archive = await reader.readArchive(account);
    known.set(account, archive?.beforeMs ?? Number.NEGATIVE_INFINITY);
  };
  return async (transactions) => {
    if (known.size >= MAX_REMEMBERED) known.clear();
    const latestMs = now() - LOOK_UP_AGE_MS;
    const old = transactions.filter(({ createdAtMs }) => createdAtMs < latestMs);
    const unknown = new Set(old.map(({ account }) => account)).difference(known);
    await inGroups([...unknown], READS_AT_ONCE, look);
    const ends = old.map((one) => [one, known.get(one.account) as number] as const);
    return new Map(ends.filter(([{ createdAtMs }, beforeMs]) => createdAtMs < beforeMs));
  };
}
