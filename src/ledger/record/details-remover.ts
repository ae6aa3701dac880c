import type { AuditEntry } from '../../audit/audit.ts';
import { statementsOf } from '../../db/statement.ts';

export interface DetailsRemover {
  /**
   * Removes the details of a transaction for good, at the time of the entry, and writes the entry with it. Without details, nothing
   * changes. Undefined if the account has no transaction with the reference.
   */
  removeDetails(
    account: string,
    reference: string,
    entry: AuditEntry,
  ): Promise<'removed' | 'unchanged' | undefined>;
}

const written = statementsOf(new URL('./remove-details.sql', import.meta.url));
export const LOCK_HEAD = written('lockHead');
export const FIND = written('find');
export const AUDIT = written('audit');
export const REMOVE = written('remove');
