import type { AuditEntry } from '../../../audit/audit.ts';
import { arrayText } from '../../../db/postgres/driver/index.ts';
import {
  ARCHIVE_COLUMNS,
  type Archive,
  type ArchiveRow,
  archiveOf,
  archiveRowOf,
} from '../../../ledger/archives/archive.ts';
import { nonceSql } from '../../../ledger/changes/postgres/list-changes.ts';
import { addSumsScript } from '../../../ledger/totals/postgres/add-to-totals.ts';
import { STORED_COLUMN_LIST, type StoredValues, storedRowOf } from '../../stored-rows.ts';
import type { StoredRow } from '../../verify/verify-reader.ts';
import { literal, PostgresWriter } from '../../writer/postgres/writer.ts';
import {
  type AccountArchiver,
  ArchiveFailed,
  type DeliveredUpTo,
  type Outstanding,
  outstandingOf,
  removalOf,
  requireFloor,
  requireSame,
} from '../account-archiver.ts';

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

  store(
    account: string,
    archive: Archive,
    before: Archive | undefined,
    entry: AuditEntry,
  ): Promise<Outstanding[]> {
    const name = literal(account);
    return this.#writer.transact(async () => {
      await this.#lockHead(name);
      const [found] = await this.#writer.query<ArchiveRow>(
        `SELECT ${ARCHIVE_COLUMNS} FROM archives WHERE account = ${name}`,
      );
      requireSame(account, found && archiveOf(found), before);
      const [floor] = await this.#writer.query<[number | null]>(
        `SELECT ${nonceSql(name, String(archive.floorSequence))}`,
      );
      requireFloor(account, floor?.[0], archive);
      const outstanding = await this.#findOutstanding(name, archive.floorSequence);
      if (outstanding.length > 0) return outstanding;
      await this.#writer.query(
        `INSERT INTO archives (account, ${ARCHIVE_COLUMNS}) VALUES (${name}, ${archiveRowOf(archive).map(literal).join(', ')})
ON CONFLICT (account) DO UPDATE SET before_ms = EXCLUDED.before_ms, floor_sequence = EXCLUDED.floor_sequence, floor_nonce = EXCLUDED.floor_nonce, floor_seal = EXCLUDED.floor_seal`,
      );
      await this.#writer.query(`UPDATE webhook_endpoints SET version = version + 1 WHERE account = ${name}`);
      await this.#writer.audit(entry);
      return [];
    });
  }

  /** No delivery and no replay changes the endpoints until the transaction ends. */
  async #findOutstanding(name: string, floorSequence: number): Promise<Outstanding[]> {
    const endpoints = await this.#writer.query<DeliveredUpTo>(
      `SELECT id, acknowledged_sequence, disabled_at_ms FROM webhook_endpoints WHERE account = ${name} ORDER BY id FOR NO KEY UPDATE`,
    );
    const failures = await this.#writer.query<[string, number]>(
      `SELECT endpoint_id, count(*) FROM webhook_failures WHERE account = ${name} AND sequence <= ${floorSequence} GROUP BY endpoint_id`,
    );
    return outstandingOf(endpoints, failures, floorSequence);
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
      const [floor] = await this.#writer.query<[number]>(
        `SELECT floor_sequence FROM archives WHERE account = ${name}`,
      );
      if (floor === undefined) throw new ArchiveFailed('nothing of the account is archived');
      const references = literal(arrayText(rows.map(({ reference }) => reference)));
      const removed = await this.#writer.query<StoredValues>(
        `DELETE FROM transactions WHERE account = ${name} AND reference = ANY(${references}::text[]) RETURNING ${STORED_COLUMN_LIST}`,
      );
      const { changes, sums } = removalOf(rows, removed.map(storedRowOf), floor[0]);
      if (sums.length > 0) {
        await this.#writer.query(addSumsScript(account, sums));
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
    await this.#writer.query(
      `DELETE FROM daily_totals WHERE account = ${name} AND count = 0 AND amount = 0 AND day BETWEEN ${first} AND ${last}`,
    );
  }

  end(): Promise<void> {
    return this.#writer.end();
  }
}
