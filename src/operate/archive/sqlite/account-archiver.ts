import type { DatabaseSync } from 'node:sqlite';
import { auditWriter } from '../../../audit/sqlite/audit.ts';
import { archiveRowOf } from '../../../ledger/archives/archive.ts';
import { archiveReader } from '../../../ledger/archives/sqlite/read-archive.ts';
import { nonceReader } from '../../../ledger/changes/sqlite/list-changes.ts';
import { sumAdder } from '../../../ledger/totals/sqlite/add-to-totals.ts';
import { STORED_COLUMN_LIST, type StoredValues, storedRowOf } from '../../stored-rows.ts';
import type { StoredRow } from '../../verify/verify-reader.ts';
import { SqliteWriter } from '../../writer/sqlite/writer.ts';
import {
  type AccountArchiver,
  ArchiveFailed,
  type DeliveredUpTo,
  outstandingOf,
  removalOf,
  requireFloor,
  requireSame,
} from '../account-archiver.ts';

export function openSqliteAccountArchiver(path: string): AccountArchiver {
  const writer = new SqliteWriter(path);
  const { db } = writer;
  const storeArchive = db.prepare(
    `INSERT INTO archives (account, before_ms, floor_sequence, floor_nonce, floor_seal, removed_changes) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (account) DO UPDATE SET before_ms = excluded.before_ms, floor_sequence = excluded.floor_sequence, floor_nonce = excluded.floor_nonce, floor_seal = excluded.floor_seal`,
  );
  const readArchive = archiveReader(db);
  const nonceOf = nonceReader(db);
  const findOutstanding = outstandingFinder(db);
  const raiseVersions = db.prepare('UPDATE webhook_endpoints SET version = version + 1 WHERE account = ?');
  const removeExports = db.prepare(
    `DELETE FROM exports WHERE account = ? AND json_extract(record, '$.result') IS NULL`,
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
    const archive = readArchive(account);
    if (archive === undefined) throw new ArchiveFailed('nothing of the account is archived');
    const removed = rows.flatMap(({ createdAtMs, reference }) => {
      const row = remove.get(account, createdAtMs, reference) as unknown as StoredValues | undefined;
      return row === undefined ? [] : [storedRowOf(row)];
    });
    const { changes, sums } = removalOf(rows, removed, archive.floorSequence);
    add(account, sums);
    countRemoved.run(changes, account);
    return removed.length;
  };

  return {
    store: (account, archive, before, entry) =>
      writer.transact(() => {
        requireSame(account, readArchive(account), before);
        requireFloor(account, nonceOf(account, archive.floorSequence), archive);
        const outstanding = findOutstanding(account, archive.floorSequence);
        if (outstanding.length > 0) return outstanding;
        storeArchive.run(account, ...archiveRowOf(archive));
        raiseVersions.run(account);
        audit(entry);
        return [];
      }),
    removeUnfinishedExports: (account) =>
      writer.transact(() => {
        removeExports.run(account);
      }),
    removeRows: (account, rows) => writer.transact(() => removeRows(account, rows)),
    end: async () => writer.end(),
  };
}

function outstandingFinder(db: DatabaseSync) {
  const endpoints = db.prepare(
    'SELECT id, acknowledged_sequence, disabled_at_ms FROM webhook_endpoints WHERE account = ?',
  );
  const failures = db.prepare(
    'SELECT endpoint_id, count(*) FROM webhook_failures WHERE account = ? AND sequence <= ? GROUP BY endpoint_id',
  );
  for (const statement of [endpoints, failures]) statement.setReturnArrays(true);
  return (account: string, floorSequence: number) =>
    outstandingOf(
      endpoints.all(account) as unknown as DeliveredUpTo[],
      failures.all(account, floorSequence) as unknown as [string, number][],
      floorSequence,
    );
}
