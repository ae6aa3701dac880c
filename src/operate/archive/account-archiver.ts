import { dayOf } from '../../../values/calendar.ts';
import { CommandFailed } from '../../../values/failure.ts';
import type { AuditEntry } from '../../audit/audit.ts';
import { ARCHIVE_COLUMNS, type Archive, archiveValues } from '../../ledger/archives/archive.ts';
import { type DaySum, TotalsSum } from '../../ledger/totals/total.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import { changesIn } from '../row-up-to.ts';
import {
  isSameRow,
  STORED_COLUMN_LIST,
  type StoredRow,
  type StoredValues,
  storedRowOf,
} from '../stored-rows.ts';
import { audit, query, type Script, type Writer } from '../writer/writer.ts';

export function accountArchiver(writer: Writer) {
  const { literal, jsonText, transactionsByReference } = writer;
  return {
    /**
     * Returns the endpoints to which not every change up to `floorSequence` is delivered. If there are any,
     * stores nothing. Throws: ArchiveFailed if the stored archive is not `previous`, or after an erasure.
     */
    store(
      account: string,
      archive: Archive,
      previous: Archive | undefined,
      entry: AuditEntry,
    ): Promise<Outstanding[]> {
      const name = literal(account);
      return writer.run(function* () {
        yield* lockHead(writer, name);
        const [found] = yield* query(`SELECT ${ARCHIVE_COLUMNS} FROM archives WHERE account = ${name}`);
        if (found?.join() !== (previous && archiveValues(previous).join()))
          throw new ArchiveFailed(
            `The account ${account} is archived by another command too: wait until it has ended.`,
          );
        const [floor] = yield* query<[nonce: number]>(
          `SELECT pending_nonce FROM transactions WHERE account = ${name} AND pending_sequence = ${archive.floorSequence}
UNION ALL SELECT final_nonce FROM transactions WHERE account = ${name} AND final_sequence = ${archive.floorSequence}
UNION ALL SELECT floor_nonce FROM archives WHERE account = ${name} AND floor_sequence = ${archive.floorSequence}`,
        );
        if (floor?.[0] !== archive.floorNonce)
          throw new ArchiveFailed(
            `The account ${account} was erased meanwhile: its file has what was erased.`,
          );
        const outstanding = yield* findOutstanding(writer, name, archive.floorSequence);
        if (outstanding.length > 0) return outstanding;
        yield* query(
          `INSERT INTO archives (account, ${ARCHIVE_COLUMNS}) VALUES (${name}, ${archiveValues(archive).map(literal).join(', ')})
ON CONFLICT (account) DO UPDATE SET before_ms = EXCLUDED.before_ms, floor_sequence = EXCLUDED.floor_sequence, floor_nonce = EXCLUDED.floor_nonce, floor_seal = EXCLUDED.floor_seal, rest = EXCLUDED.rest`,
        );
        // Makes a running `replayWebhook` begin again, and read the new archive.
        yield* query(`UPDATE webhook_endpoints SET version = version + 1 WHERE account = ${name}`);
        yield* audit(entry, writer);
        return [];
      });
    },

    async removeUnfinishedExports(account: string): Promise<void> {
      const sql = `DELETE FROM exports WHERE account = ${literal(account)} AND ${jsonText('record', 'result')} IS NULL`;
      await writer.run(() => query(sql));
    },

    /** If a row is not archived or differs from `rows`, throws ArchiveFailed and removes nothing. */
    removeRows(account: string, rows: readonly StoredRow[]): Promise<number> {
      const name = literal(account);
      return writer.run(function* () {
        yield* lockHead(writer, name);
        const [floor] = yield* query<[number]>(`SELECT floor_sequence FROM archives WHERE account = ${name}`);
        if (floor === undefined) throw new ArchiveFailed(`Nothing of the account ${account} is archived.`);
        const references = rows.map(({ reference }) => literal(reference ?? '')).join(', ');
        const removed = yield* query<StoredValues>(
          `DELETE FROM ${transactionsByReference} WHERE account = ${name} AND reference IN (${references}) RETURNING ${STORED_COLUMN_LIST}`,
        );
        const { changes, sums } = removalOf(rows, removed.map(storedRowOf), floor[0]);
        yield* writer.addSums(account, sums);
        yield* query(
          `UPDATE archives SET removed_changes = removed_changes + ${changes} WHERE account = ${name}`,
        );
        return removed.length;
      });
    },

    end: writer.end,
  };
}

export type AccountArchiver = ReturnType<typeof accountArchiver>;

const lockHead = ({ lockRows }: Writer, name: string) =>
  query(`SELECT 1 FROM accounts WHERE account = ${name}${lockRows}`);

function* findOutstanding({ lockRows }: Writer, name: string, floorSequence: number): Script<Outstanding[]> {
  const endpoints = yield* query<[id: string, acknowledgedSequence: number, disabledAtMs: number | null]>(
    `SELECT id, acknowledged_sequence, disabled_at_ms FROM webhook_endpoints WHERE account = ${name} ORDER BY id${lockRows}`,
  );
  const failures = yield* query<[string, number]>(
    `SELECT endpoint_id, count(*) FROM webhook_failures WHERE account = ${name} AND sequence <= ${floorSequence} GROUP BY endpoint_id`,
  );
  const counts = new Map(failures);
  return endpoints
    .map(([webhookId, acknowledgedSequence, disabledAtMs]) => ({
      ...{ webhookId, acknowledgedSequence },
      failures: counts.get(webhookId) ?? 0,
      isDisabled: disabledAtMs !== null,
    }))
    .filter((one) => one.acknowledgedSequence < floorSequence || one.failures > 0);
}

export class ArchiveFailed extends CommandFailed {}

function removalOf(
  given: readonly StoredRow[],
  removed: readonly StoredRow[],
  floorSequence: number,
): { changes: number; sums: DaySum[] } {
  const byReference = new Map(given.map((row) => [row.reference, row]));
  const sum = new TotalsSum();
  let changes = 0;
  for (const row of removed) {
    const expected = byReference.get(row.reference);
    const { details, finalDetails, detailsRemovedAtMs } = row;
    const since = detailsRemovedAtMs === null ? {} : { details, finalDetails, detailsRemovedAtMs };
    if (expected === undefined || !isSameRow({ ...expected, ...since }, row))
      throw new ArchiveFailed(`The transaction ${row.reference} has changed since it was archived.`);
    if (row.finalSequence === null || row.finalSequence > floorSequence)
      throw new ArchiveFailed(
        `The change ${row.finalSequence} of the transaction ${row.reference} is beyond the floor.`,
      );
    changes += changesIn(row, 0, floorSequence);
    const { createdAtMs, currencyCode, status, amountMinor } = row as Transaction & StoredRow;
    sum.addRow(dayOf(createdAtMs), currencyCode, status, amountMinor, -1);
  }
  return { changes, sums: sum.list() as DaySum[] };
}

export interface Outstanding {
  webhookId: string;
  acknowledgedSequence: number;
  failures: number;
  isDisabled: boolean;
}
