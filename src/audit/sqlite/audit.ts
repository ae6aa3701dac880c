import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry } from '../audit.ts';
import { AUDIT_COLUMNS, type AUDIT_TABLES, auditRowOf } from '../audit-columns.ts';

const COLUMNS = AUDIT_COLUMNS.join(', ');

/** Writes an entry inside the caller's transaction of the database. */
type WriteAudit = (entry: AuditEntry) => void;

export function auditWriter(db: DatabaseSync, table: (typeof AUDIT_TABLES)[number]): WriteAudit {
  const insert = db.prepare(
    `INSERT INTO ${table} (${COLUMNS}) VALUES (${AUDIT_COLUMNS.map(() => '?').join(', ')})`,
  );
  return (entry) => void insert.run(...auditRowOf(entry));
}
