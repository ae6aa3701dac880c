import { inGroups, READS_AT_ONCE } from '../../../values/in-groups.ts';
import type { ArchiveReader } from './archive.ts';

/** For this long, the answer that an account has no archive is reused. */
export const ARCHIVE_KNOWN_FOR_MS = 1000;
/** No transaction younger than this is archived. */
export const NEVER_ARCHIVED_MS = 24 * 3_600_000;
/** The age from which an import looks for an archive. It is below NEVER_ARCHIVED_MS: clocks can differ. */
const CLOCKS_DIFFER_MS = NEVER_ARCHIVED_MS / 2;
const MAX_REMEMBERED = 100_000;

interface ArchivedDaysOptions {
  now(): number;
  monotonicMs(): number;
}

/**
 * Reads the day before which the transactions of an account are archived, to check the lines of an import. A
 * recording reads that day in its own database transaction instead.
 */
export class ArchivedDays {
  readonly #reader: ArchiveReader;
  readonly #options: ArchivedDaysOptions;
  readonly #known = new Map<string, { before: Promise<number>; untilMs: number }>();

  constructor(reader: ArchiveReader, options: ArchivedDaysOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  /** Returns the transactions that were created on archived days, each with the end of its account's days. */
  async archived<Created extends { account: string; createdAtMs: number }>(
    transactions: readonly Created[],
  ): Promise<Map<Created, number>> {
    const latestMs = this.#options.now() - CLOCKS_DIFFER_MS;
    const found = new Map<Created, number>();
    const old = transactions.filter(({ createdAtMs }) => createdAtMs < latestMs);
    const look = async ([account, own]: [string, Created[]]) => {
      const beforeMs = await this.#beforeMs(account);
      for (const one of own) if (one.createdAtMs < beforeMs) found.set(one, beforeMs);
    };
    await inGroups([...Map.groupBy(old, ({ account }) => account)], READS_AT_ONCE, look);
    return found;
  }

  #beforeMs(account: string): Promise<number> {
    const nowMs = this.#options.monotonicMs();
    const known = this.#known.get(account);
    if (known !== undefined && nowMs < known.untilMs) return known.before;
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    const before = this.#reader.readArchive(account).then((archive) => {
      // Not cached, because an account that is erased can record on these days again.
      if (archive !== undefined) this.#known.delete(account);
      return archive?.beforeMs ?? Number.NEGATIVE_INFINITY;
    });
    this.#known.set(account, { before, untilMs: nowMs + ARCHIVE_KNOWN_FOR_MS });
    before.catch(() => this.#known.delete(account));
    return before;
  }
}
