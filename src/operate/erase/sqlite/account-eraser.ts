import type { DatabaseSync } from 'node:sqlite';
import { auditWriter } from '../../../audit/sqlite/audit.ts';
import { DATABASE_NOW_MS } from '../../../db/sqlite/database-clock.ts';
import { NO_SEAL } from '../../../ledger/seals/seal.ts';
import type { Table } from '../../../values/tables.ts';
import { SqliteWriter } from '../../writer/sqlite/writer.ts';
import {
  type AccountEraser,
  keyInAccount,
  OF_ACCOUNTS,
  REMOVED_AT_THE_END,
  type RowPlace,
} from '../account-eraser.ts';

export function openSqliteAccountEraser(path: string): AccountEraser {
  const writer = new SqliteWriter(path);
  const { db } = writer;
  const audit = auditWriter(db, 'account_audit');
  return {
    close: (account, entry) =>
      writer.transact(() => {
        const headSequence = close(db, account);
        if (headSequence !== undefined) audit(entry);
        return headSequence;
      }),
    removeRows: (table, account, after, limit) =>
      writer.transact(() => removeRows(db, table, account, after, limit)),
    lastKeyEnd: (account) => writer.transact(() => lastKeyEnd(db, account)),
    open: (account, settledEnd, entry) =>
      writer.transact(() => {
        const isOpened = open(db, account, settledEnd);
        if (isOpened) audit(entry);
        return isOpened;
      }),
    end: async () => writer.end(),
  };
}

function close(db: DatabaseSync, account: string): number | undefined {
  const head = db
    .prepare('SELECT head_sequence AS head, closed_at_sequence AS closed FROM accounts WHERE account = ?')
    .get(account) as { head: number; closed: number | null } | undefined;
  const hasRows = (table: Table) =>
    db.prepare(`SELECT 1 FROM ${table} WHERE account = ? LIMIT 1`).get(account) !== undefined;
  const isEmpty =
    (head === undefined || (head.head === 0 && head.closed === null)) &&
    !OF_ACCOUNTS.filter((table) => table !== 'accounts').some(hasRows);
  if (isEmpty) return undefined;
  db.prepare(
    `INSERT INTO accounts (account, head_sequence, closed_at_sequence) VALUES (?, 0, 0)
     ON CONFLICT (account) DO UPDATE SET closed_at_sequence = head_sequence`,
  ).run(account);
  // As if all were sealed: what is in flight finds another number.
  if (head !== undefined && head.head > 0) {
    db.prepare(
      `INSERT INTO seals (account, sequence, seal, digests) VALUES (?1, ?2, '${NO_SEAL}', '') ON CONFLICT (account) DO UPDATE SET sequence = ?2`,
    ).run(account, head.head);
  }
  return head?.head ?? 0;
}

function removeRows(
  db: DatabaseSync,
  table: Table,
  account: string,
  after: RowPlace | null,
  limit: number,
): RowPlace | undefined {
  const key = keyInAccount(table);
  const row = `(${key.join(', ')})`;
  const places = `(${key.map(() => '?').join(', ')})`;
  const behind = after === null ? '' : `AND ${row} > ${places}`;
  const last = db.prepare(
    `SELECT ${key.join(', ')} FROM ${table} WHERE account = ? ${behind} ORDER BY ${key.join(', ')} LIMIT 1 OFFSET ?`,
  );
  last.setReturnArrays(true);
  const end = last.get(account, ...(after ?? []), limit - 1) as unknown as RowPlace | undefined;
  const upTo = end === undefined ? '' : `AND ${row} <= ${places}`;
  db.prepare(`DELETE FROM ${table} WHERE account = ? ${behind} ${upTo}`).run(
    account,
    ...(after ?? []),
    ...(end ?? []),
  );
  return end;
}

function lastKeyEnd(db: DatabaseSync, account: string): number {
  const read = db.prepare(
    'SELECT coalesce(max(end_recorded_at_ms), 0) AS lastEnd FROM api_keys WHERE account = ?',
  );
  return Number(read.get(account)?.['lastEnd']);
}

function open(db: DatabaseSync, account: string, settledEnd: number): boolean {
  const unsettled = db.prepare(
    'SELECT 1 FROM api_keys WHERE account = ? AND (revoked_at_ms IS NULL OR end_recorded_at_ms > ?) LIMIT 1',
  );
  if (unsettled.get(account, settledEnd) !== undefined) return false;
  for (const table of [...REMOVED_AT_THE_END, 'api_keys'])
    db.prepare(`DELETE FROM ${table} WHERE account = ?`).run(account);
  db.prepare(
    `UPDATE accounts SET head_sequence = 0, closed_at_sequence = NULL, erased_at_ms = ${DATABASE_NOW_MS} WHERE account = ?`,
  ).run(account);
  return true;
}
