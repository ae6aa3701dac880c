import type { AuditEntry } from '../../audit/audit.ts';
import { type Archive, archiveRowOf } from '../../ledger/archives/archive.ts';
import type { DaySum } from '../../ledger/totals/totals.ts';
import { TotalsSum } from '../../ledger/totals/totals-sum.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import { dayOf } from '../../values/calendar.ts';
import { changesIn } from '../row-up-to.ts';
import { isSameRow } from '../stored-rows.ts';
import type { StoredRow } from '../verify/verify-reader.ts';

/**
 * The removal of archived transactions of an account. Each call is one short transaction of the database, on the disk when it resolves.
 *
 * Every method throws StoreUnavailable if the database can't write now.
 */
export interface AccountArchiver {
  /**
   * Stores the archive of an account. `before` is the one that it has; undefined is none. Returns the endpoints with deliveries that need
   * what would be removed: then nothing is changed. Otherwise it raises the version of each endpoint, so that a replay that read the
   * endpoint before reads the new floor.
   *
   * Throws: ArchiveFailed, with nothing changed, if the account has another one, because a second command archives it too, or if the
   * change at the floor is not its own, because it was erased meanwhile.
   */
  store(
    account: string,
    archive: Archive,
    before: Archive | undefined,
    entry: AuditEntry,
  ): Promise<Outstanding[]>;
  /** Removes the exports of an account that are not complete: they can't be resumed without what is removed. */
  removeUnfinishedExports(account: string): Promise<void>;
  /**
   * Removes those of the transactions that the account has, with what they add to the stored totals. Returns how many it removed.
   *
   * Throws: ArchiveFailed, with nothing changed, if one is not as given, is not final, or is beyond the floor.
   */
  removeRows(account: string, rows: readonly StoredRow[]): Promise<number>;
  end(): Promise<void>;
}

/** The archive of an account failed, and removes nothing more. */
export class ArchiveFailed extends Error {
  override readonly name = 'ArchiveFailed';
}

/** Throws: ArchiveFailed if an account does not have the archive that it had before. */
export function requireSame(account: string, found: Archive | undefined, before: Archive | undefined): void {
  const [one, other] = [found, before].map((archive) => archive && archiveRowOf(archive).join());
  if (one !== other)
    throw new ArchiveFailed(
      `the account ${account} is archived by another command too: wait until it has ended`,
    );
}

/** Throws: ArchiveFailed if the change of an account at the floor of an archive has another nonce, or does not exist. */
export function requireFloor(account: string, nonce: number | null | undefined, archive: Archive): void {
  if (nonce !== archive.floorNonce)
    throw new ArchiveFailed(`the account ${account} was erased meanwhile: its file has what was erased`);
}

/** What rows that were removed leave behind. */
interface Removal {
  changes: number;
  /** What is added to the stored totals. */
  sums: DaySum[];
}

/**
 * Compares the rows that were removed with those that were to be.
 *
 * Throws: ArchiveFailed.
 */
export function removalOf(
  given: readonly StoredRow[],
  removed: readonly StoredRow[],
  floorSequence: number,
): Removal {
  const byReference = new Map(given.map((row) => [row.reference, row]));
  const sum = new TotalsSum();
  let changes = 0;
  for (const row of removed) {
    const expected = byReference.get(row.reference);
    if (expected === undefined || !isSameRow(expected, row))
      throw new ArchiveFailed(`the transaction ${row.reference} has changed since it was archived`);
    if (row.finalSequence === null || row.finalSequence > floorSequence)
      throw new ArchiveFailed(
        `the change ${row.finalSequence} of the transaction ${row.reference} is beyond the floor`,
      );
    changes += changesIn(row, 0, floorSequence);
    const { createdAtMs, currencyCode, status, amountMinor } = row as Transaction & StoredRow;
    sum.addRow(dayOf(createdAtMs), currencyCode, status, amountMinor, -1);
  }
  return { changes, sums: sum.list() as DaySum[] };
}

/** An endpoint that has not had all changes up to the floor. */
export interface Outstanding {
  webhookId: string;
  /** How far its deliveries are. */
  acknowledgedSequence: number;
  /** How many changes up to the floor are kept as failures. */
  failures: number;
  isDisabled: boolean;
}

/** What an archive reads of an endpoint of its account. */
export type DeliveredUpTo = [webhookId: string, acknowledgedSequence: number, disabledAtMs: number | null];

/** The endpoints with deliveries of changes up to a floor that have not been made. `failures` counts those up to the floor. */
export const outstandingOf = (
  endpoints: readonly DeliveredUpTo[],
  failures: readonly [webhookId: string, count: number][],
  floorSequence: number,
): Outstanding[] => {
  const counts = new Map(failures);
  return endpoints
    .map(([webhookId, acknowledgedSequence, disabledAtMs]) => ({
      webhookId,
      acknowledgedSequence,
      failures: counts.get(webhookId) ?? 0,
      isDisabled: disabledAtMs !== null,
    }))
    .filter((one) => one.acknowledgedSequence < floorSequence || one.failures > 0);
};
