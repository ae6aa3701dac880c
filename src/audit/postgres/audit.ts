import { type Connections, statement } from '../../db/postgres/driver/index.ts';
import { type AuditEntry, type AuditPlace, type AuditReader, mergeAudit } from '../audit.ts';
import { AUDIT_COLUMNS, AUDIT_TABLES, type AuditRow, auditEntryOf } from '../audit-columns.ts';

const COLUMNS = AUDIT_COLUMNS.join(', ');
const BEFORE_ALL: AuditPlace = { atMs: Number.MIN_SAFE_INTEGER, id: '' };

/** The values of an entry as a list of a SELECT, from the parameter `first` on. */
const selected = (first: number) =>
  AUDIT_COLUMNS.map((column, index) => `$${first + index}::${column === 'at_ms' ? 'bigint' : 'text'}`).join(
    ', ',
  );

/** Inserts the entry whose values begin at the parameter `first`, if `rows`, which follows the list of a SELECT, has one row. */
export const insertAuditSql = (table: (typeof AUDIT_TABLES)[number], first: number, rows: string) =>
  `INSERT INTO ${table} (${COLUMNS}) SELECT ${selected(first)} ${rows}`;

const LISTS = AUDIT_TABLES.map((table) => ({
  ofAll: statement(
    `SELECT ${COLUMNS} FROM ${table} WHERE (at_ms, id) > ($1, $2) ORDER BY at_ms, id LIMIT $3`,
  ),
  ofAccount: statement(
    `SELECT ${COLUMNS} FROM ${table} WHERE account = $1 AND (at_ms, id) > ($2, $3) ORDER BY at_ms, id LIMIT $4`,
  ),
}));

export function auditReader(connections: Connections): AuditReader {
  return {
    listAudit: async (account, after, limit): Promise<AuditEntry[]> => {
      const { atMs, id } = after ?? BEFORE_ALL;
      const pages = LISTS.map(({ ofAll, ofAccount }) =>
        account === null
          ? connections.query<AuditRow>(ofAll, [atMs, id, limit])
          : connections.query<AuditRow>(ofAccount, [account, atMs, id, limit]),
      );
      return mergeAudit(
        (await Promise.all(pages)).map((rows) => rows.map(auditEntryOf)),
        limit,
      );
    },
  };
}
