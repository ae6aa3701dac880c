import type { DatabaseSync } from 'node:sqlite';
import { auditWriter } from '../../../audit/sqlite/audit.ts';
import type { Synchronous } from '../../../db/sqlite/synchronous.ts';
import type { DetailsRemover } from '../details-remover.ts';

/** The time is ?1. The connection overwrites what is removed with zeros: `write-ahead-log.ts`. */
const REMOVE_DETAILS = `UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = ?1
WHERE account = ?2 AND reference = ?3 AND (details IS NOT NULL OR final_details IS NOT NULL)`;

/** The write of DetailsRemover, inside the caller's transaction of the database. */
export type DetailsWriter = Synchronous<DetailsRemover>;

export function detailsWriter(db: DatabaseSync): DetailsWriter {
  const remove = db.prepare(REMOVE_DETAILS);
  const find = db.prepare('SELECT 1 FROM transactions WHERE account = ? AND reference = ?');
  const audit = auditWriter(db, 'account_audit');
  return {
    removeDetails: (account, reference, entry) => {
      if (remove.run(entry.atMs, account, reference).changes === 0)
        return find.get(account, reference) === undefined ? undefined : 'unchanged';
      audit(entry);
      return 'removed';
    },
  };
}
