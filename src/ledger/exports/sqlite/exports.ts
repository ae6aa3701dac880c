import type { DatabaseSync } from 'node:sqlite';
import type { Synchronous } from '../../../db/sqlite/synchronous.ts';
import type { ListQuery } from '../../list/list-query.ts';
import { LISTED_COLUMNS } from '../../list/sqlite/list-sql.ts';
import { rowLister } from '../../list/sqlite/list-transactions.ts';
import { type TransactionRow, transactionOf } from '../../transaction-columns.ts';
import { EXPORT_LIFETIME_MS, type Export, type ExportStore, type NumberedTransaction } from '../export.ts';
import { exportOfText, textOfExport } from '../export-text.ts';

const NUMBERED_COLUMNS = [
  ...LISTED_COLUMNS,
  'pending_sequence',
  'pending_recorded_at_ms',
  'final_sequence',
  'final_recorded_at_ms',
];

/** Runs list queries whose results have the numbers of each transaction. */
export function numberedLister(db: DatabaseSync): (query: ListQuery, limit: number) => NumberedTransaction[] {
  return rowLister<TransactionRow, NumberedTransaction>(db, NUMBERED_COLUMNS, (row) => ({
    transaction: transactionOf(row),
    pendingSequence: row.at(-4) as number | null,
    pendingRecordedAtMs: row.at(-3) as number | null,
    finalSequence: row.at(-2) as number | null,
    finalRecordedAtMs: row.at(-1) as number | null,
  }));
}

/** The reads of exports by their ids. */
export function exportFinder(db: DatabaseSync): (account: string, id: string) => Export | undefined {
  const find = db.prepare('SELECT record FROM exports WHERE account = ? AND id = ?');
  return (account, id) => {
    const row = find.get(account, id) as { record: string } | undefined;
    return row === undefined ? undefined : exportOfText(row.record);
  };
}

/** The writes of ExportStore, each inside the caller's transaction of the database. */
export type ExportWriter = Synchronous<
  ExportStore,
  'createExport' | 'removeExpiredExports' | 'replaceExport'
>;

export function exportWriter(db: DatabaseSync): ExportWriter {
  const removeExpired = db.prepare('DELETE FROM exports WHERE started_at_ms < ?');
  const removeOwn = db.prepare('DELETE FROM exports WHERE account = ? AND started_at_ms NOT BETWEEN ? AND ?');
  const countOfAccount = db.prepare('SELECT count(*) AS count FROM exports WHERE account = ?');
  const insert = db.prepare('INSERT INTO exports (account, id, started_at_ms, record) VALUES (?, ?, ?, ?)');
  const replace = db.prepare('UPDATE exports SET record = ? WHERE account = ? AND id = ?');
  return {
    createExport: (created, { expiredMs, perAccount }) => {
      const { account, id, startedAtMs } = created;
      removeOwn.run(account, expiredMs, startedAtMs + EXPORT_LIFETIME_MS);
      if (Number(countOfAccount.get(account)?.['count']) >= perAccount) return false;
      insert.run(account, id, startedAtMs, textOfExport(created));
      return true;
    },
    removeExpiredExports: (expiredMs) => {
      removeExpired.run(expiredMs);
    },
    replaceExport: (replaced) =>
      replace.run(textOfExport(replaced), replaced.account, replaced.id).changes === 1,
  };
}
