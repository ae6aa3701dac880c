import { inGroups, READS_AT_ONCE } from '../../../values/in-groups.ts';
import type { ArchiveReader } from './archive.ts';

/** A transaction that is younger than this is never archived. */
export const NEVER_ARCHIVED_MS = 24 * 3_600_000;
/** Transactions younger than this are not looked up. It is half, because a clock can be 12 hours behind. */
const LOOK_UP_AGE_MS = NEVER_ARCHIVED_MS / 2;
const MAX_REMEMBERED = 100_000;

/** Finds the transactions that were created on archived days. Each value is the archive's `beforeMs`. */
export type FindArchived = <Created extends { account: string; createdAtMs: number }>(
  transactions: readonly Created[],
) => Promise<Map<Created, number>>;

/**
 * For imports. Reads an account's archive only once, so it misses days that are archived afterwards. A
 * transaction of such a day is refused when it is recorded.
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
