import { auditWriter } from '../../../audit/sqlite/audit.ts';
import { archiveRowOf } from '../../../ledger/archives/archive.ts';
import { archiveReader } from '../../../ledger/archives/sqlite/read-archive.ts';
import { sumAdder } from '../../../ledger/totals/sqlite/add-to-totals.ts';
import { STORED_COLUMN_LIST, type StoredValues, storedRowOf } from '../../stored-rows.ts';
import type { StoredRow } from '../../verify/verify-reader.ts';
import { SqliteWriter } from '../../writer/sqlite/writer.ts';
import { type AccountArchiver, ArchiveFailed, removalOf, requireSame } from '../account-archiver.ts';

export function openSqliteAccountArchiver(path: string): AccountArchiver {
  const writer = new SqliteWriter(path);
  const { db } = writer;
  const storeArchive = db.prepare(
    `INSERT INTO archives (account, before_ms, floor_sequence, floor_nonce, removed_changes) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account) DO UPDATE SET before_ms = excluded.before_ms, floor_sequence = excluded.floor_sequence, floor_nonce = excluded.floor_nonce`,
  );
  const forget = db.prepare('DELETE FROM archives WHERE account = ?');
  const readArchive = archiveReader(db);
  const removeExports = db.prepare(
    `DELETE FROM exports WHERE account = ? AND json_extract(record, '$.result') IS NULL`,
  );
  const readEnd = db.prepare(
    `SELECT min(floor_sequence, coalesce((SELECT sequence FROM totals_progress WHERE account = ?1), 0)) AS upTo
     FROM archives WHERE account = ?1`,
  );
  const remove = db.prepare(
    `DELETE FROM transactions WHERE account = ? AND created_at_ms = ? AND reference = ? RETURNING ${STORED_COLUMN_LIST}`,
  );
  remove.setReturnArrays(true);
  const countRemoved = db.prepare(
    'UPDATE archives SET removed_changes = removed_changes + ? WHERE account = ?',
  );
  const add = sumAdder(db);
  const audit = auditWriter(db, 'account_audit');

  const removeRows = (account: string, rows: readonly StoredRow[]): number => {
    const { upTo } = (readEnd.get(account) ?? {}) as { upTo?: number };
    if (upTo === undefined) throw new ArchiveFailed('nothing of the account is archived');
    const removed = rows.flatMap(({ createdAtMs, reference }) => {
      const row = remove.get(account, createdAtMs, reference) as unknown as StoredValues | undefined;
      return row === undefined ? [] : [storedRowOf(row)];
    });
    const { changes, sums } = removalOf(rows, removed, upTo);
    add(account, sums);
    countRemoved.run(changes, account);
    return removed.length;
  };

  return {
    replace: (account, archive, before, entry) =>
      writer.transact(() => {
        requireSame(account, readArchive(account), before);
        if (archive === undefined) forget.run(account);
        else storeArchive.run(account, ...archiveRowOf(archive));
        audit(entry);
      }),
    removeUnfinishedExports: (account) =>
      writer.transact(() => {
        removeExports.run(account);
      }),
    removeRows: (account, rows) => writer.transact(() => removeRows(account, rows)),
    end: async () => writer.end(),
  };
}
