import { AUDIT_COLUMNS, type AUDIT_TABLES } from '../audit-columns.ts';

const COLUMNS = AUDIT_COLUMNS.join(', ');

/** The values of an entry as a list of a SELECT, from the parameter `first` on. */
const selected = (first: number) =>
  AUDIT_COLUMNS.map((column, index) => `$${first + index}::${column === 'at_ms' ? 'bigint' : 'text'}`).join(
    ', ',
  );

/** Inserts the entry whose values begin at the parameter `first`, if `rows`, which follows the list of a SELECT, has one row. */
export const insertAuditSql = (table: (typeof AUDIT_TABLES)[number], first: number, rows: string) =>
  `INSERT INTO ${table} (${COLUMNS}) SELECT ${selected(first)} ${rows}`;
