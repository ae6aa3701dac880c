import type { DatabaseSync } from 'node:sqlite';
import { type AuditEntry, type AuditPlace, mergeAudit } from '../audit.ts';
import { AUDIT_COLUMNS, AUDIT_TABLES, type AuditRow, auditEntryOf, auditRowOf } from '../audit-columns.ts';

const COLUMNS = AUDIT_COLUMNS.join(', ');
const BEFORE_ALL: AuditPlace = { atMs: Number.MIN_SAFE_INTEGER, id: '' };

/** Writes an entry inside the caller's transaction of the database. */
type WriteAudit = (entry: AuditEntry) => void;

export function auditWriter(db: DatabaseSync, table: (typeof AUDIT_TABLES)[number]): WriteAudit {
  const insert = db.prepare(
    `INSERT INTO ${table} (${COLUMNS}) VALUES (${AUDIT_COLUMNS.map(() => '?').join(', ')})`,
  );
  return (entry) => void insert.run(...auditRowOf(entry));
}

export function auditReader(db: DatabaseSync) {
  const lists = AUDIT_TABLES.map((table) => {
    const [ofAccount, ofAll] = ['account = ? AND', ''].map((isOwn) => {
      const list = db.prepare(
        `SELECT ${COLUMNS} FROM ${table} WHERE ${isOwn} (at_ms, id) > (?, ?) ORDER BY at_ms, id LIMIT ?`,
      );
      list.setReturnArrays(true);
      return (...values: (string | number)[]) => list.all(...values) as unknown as AuditRow[];
    }) as [(...values: (string | number)[]) => AuditRow[], (...values: (string | number)[]) => AuditRow[]];
    return { ofAccount, ofAll };
  });
  return {
    listAudit: (account: string | null, after: AuditPlace | null, limit: number): AuditEntry[] => {
      const { atMs, id } = after ?? BEFORE_ALL;
      const pages = lists.map(({ ofAccount, ofAll }) =>
        account === null ? ofAll(atMs, id, limit) : ofAccount(account, atMs, id, limit),
      );
      return mergeAudit(
        pages.map((rows) => rows.map(auditEntryOf)),
        limit,
      );
    },
  };
}
