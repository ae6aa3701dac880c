import type { AuditEntry } from '../../../audit/audit.ts';
import { arrayText } from '../../../db/postgres/driver/index.ts';
import {
  ARCHIVE_COLUMNS,
  type Archive,
  type ArchiveRow,
  archiveOf,
  archiveRowOf,
} from '../../../ledger/archives/archive.ts';
import { addSumsScript } from '../../../ledger/totals/postgres/add-to-totals.ts';
import { monthOf } from '../../../values/calendar.ts';
import { STORED_COLUMN_LIST, type StoredValues, storedRowOf } from '../../stored-rows.ts';
import type { StoredRow } from '../../verify/verify-reader.ts';
import { literal, PostgresWriter } from '../../writer/postgres/writer.ts';
import { type AccountArchiver, ArchiveFailed, removalOf, requireSame } from '../account-archiver.ts';

/**
 * Each statement names the account as a value, by which Citus finds the shard.
 *
 * Throws: StoreRefused if the database can't be used, or if the role does not see all rows.
 */
export const openPostgresAccountArchiver = async (url: string): Promise<AccountArchiver> =>
  new PostgresAccountArchiver(await PostgresWriter.connect(url, 'Archive'));

class PostgresAccountArchiver implements AccountArchiver {
  readonly #writer: PostgresWriter;

  constructor(writer: PostgresWriter) {
    this.#writer = writer;
  }

  async replace(
    account: string,
    archive: Archive | undefined,
    before: Archive | undefined,
    entry: AuditEntry,
  ): Promise<void> {
    const name = literal(account);
    await this.#writer.transact(async () => {
      await this.#lockHead(name);
      const [found] = await this.#writer.query<ArchiveRow>(
        `SELECT ${ARCHIVE_COLUMNS} FROM archives WHERE account = ${name}`,
      );
      requireSame(account, found && archiveOf(found), before);
      await this.#writer.query(
        archive === undefined
          ? `DELETE FROM archives WHERE account = ${name}`
          : `INSERT INTO archives (account, ${ARCHIVE_COLUMNS}) VALUES (${name}, ${archiveRowOf(archive).join(', ')})
ON CONFLICT (account) DO UPDATE SET before_ms = EXCLUDED.before_ms, floor_sequence = EXCLUDED.floor_sequence, floor_nonce = EXCLUDED.floor_nonce`,
      );
      await this.#writer.audit(entry);
    });
  }

  /** As recordings do. */
  async #lockHead(name: string): Promise<void> {
    await this.#writer.query(`SELECT 1 FROM accounts WHERE account = ${name} FOR NO KEY UPDATE`);
  }

  async removeUnfinishedExports(account: string): Promise<void> {
    await this.#writer.query(
      `DELETE FROM exports WHERE account = ${literal(account)} AND record::json ->> 'result' IS NULL`,
    );
  }

  removeRows(account: string, rows: readonly StoredRow[]): Promise<number> {
    const name = literal(account);
    return this.#writer.transact(async () => {
      await this.#lockHead(name);
      // As an addition to the totals does.
      const [progress] = await this.#writer.query<[number]>(
        `SELECT sequence FROM totals_progress WHERE account = ${name} FOR NO KEY UPDATE`,
      );
      const [floor] = await this.#writer.query<[number]>(
        `SELECT floor_sequence FROM archives WHERE account = ${name}`,
      );
      if (floor === undefined) throw new ArchiveFailed('nothing of the account is archived');
      const references = literal(arrayText(rows.map(({ reference }) => reference)));
      const removed = await this.#writer.query<StoredValues>(
        `DELETE FROM transactions WHERE account = ${name} AND reference = ANY(${references}::text[]) RETURNING ${STORED_COLUMN_LIST}`,
      );
      const { changes, sums } = removalOf(
        rows,
        removed.map(storedRowOf),
        Math.min(floor[0], progress?.[0] ?? 0),
      );
      if (sums.length > 0) {
        await this.#writer.query(addSumsScript(account, 'true', sums));
        await this.#removeNothings(name, sums);
      }
      await this.#writer.query(
        `UPDATE archives SET removed_changes = removed_changes + ${changes} WHERE account = ${name}`,
      );
      return removed.length;
    });
  }

  /** Totals of no transaction. */
  async #removeNothings(name: string, sums: readonly { day: number }[]): Promise<void> {
    const days = sums.map(({ day }) => day);
    const [first, last] = [Math.min(...days), Math.max(...days)];
    const isNothing = `account = ${name} AND count = 0 AND amount = 0`;
    await this.#writer.query(
      `DELETE FROM daily_totals WHERE ${isNothing} AND day BETWEEN ${first} AND ${last};
DELETE FROM monthly_totals WHERE ${isNothing} AND month BETWEEN ${monthOf(first)} AND ${monthOf(last)}`,
    );
  }

  end(): Promise<void> {
    return this.#writer.end();
  }
}
