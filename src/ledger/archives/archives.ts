import { inGroups, READS_AT_ONCE } from '../../../values/in-groups.ts';
import type { ArchiveReader } from './archive.ts';

/** How long the answer that nothing of an account is archived is reused. */
export const ARCHIVE_KNOWN_FOR_MS = 1000;
/** No transaction younger than this is archived. */
export const NEVER_ARCHIVED_MS = 24 * 3_600_000;
/** An import looks for an archive some time before one can exist, because clocks can differ. */
const CLOCKS_DIFFER_MS = NEVER_ARCHIVED_MS / 2;
const MAX_REMEMBERED = 100_000;

interface ArchivedDaysOptions {
  now(): number;
  monotonicMs(): number;
}

/**
 * The day before which the transactions of accounts are archived, to check the lines of an import. A
 * recording reads it in its own transaction of the database.
 */
export class ArchivedDays {
  readonly #reader: ArchiveReader;
  readonly #options: ArchivedDaysOptions;
  readonly #known = new Map<string, { before: Promise<number>; untilMs: number }>();

  constructor(reader: ArchiveReader, options: ArchivedDaysOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  /** Returns the transactions created on archived days of their accounts, each with the end of these days. */
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
      // An erased account can record on these days again, so nothing is cached for good.
      if (archive !== undefined) this.#known.delete(account);
      return archive?.beforeMs ?? Number.NEGATIVE_INFINITY;
    });
    this.#known.set(account, { before, untilMs: nowMs + ARCHIVE_KNOWN_FOR_MS });
    before.catch(() => this.#known.delete(account));
    return before;
  }
}
