import pg from 'pg';
import type { AuditEntry } from '../../../audit/audit.ts';
import { AUDIT_COLUMNS, auditRowOf } from '../../../audit/audit-columns.ts';
import type { DetailsRemover } from '../details-remover.ts';
import type { StatementSender } from './record-statements.ts';

const literal = (value: string | number | null) => {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(value);
};

/**
 * First locks the head of the account, as recordings do: one that makes the transaction final sees that the details were removed, and
 * does not bring them back. Each statement names the account as a value, by which Citus finds the shard. The entry comes before the
 * change, which then changes the same row.
 */
function removeScript(account: string, reference: string, entry: AuditEntry): string {
  const row = `account = ${literal(account)} AND reference = ${literal(reference)}`;
  const hasDetails = `${row} AND (details IS NOT NULL OR final_details IS NOT NULL)`;
  return `SELECT head_sequence FROM accounts WHERE account = ${literal(account)} FOR NO KEY UPDATE;
SELECT 1 FROM transactions WHERE ${row};
INSERT INTO account_audit (${AUDIT_COLUMNS.join(', ')})
SELECT ${auditRowOf(entry).map(literal).join(', ')} FROM transactions WHERE ${hasDetails};
UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = ${entry.atMs}
WHERE ${hasDetails} RETURNING 1`;
}

export const detailsRemover = (connections: Pick<StatementSender, 'script'>): DetailsRemover => ({
  removeDetails: async (account, reference, entry) => {
    const [, found = [], , removed = []] = await connections.script(removeScript(account, reference, entry));
    return removed.length > 0 ? 'removed' : found.length > 0 ? 'unchanged' : undefined;
  },
});
