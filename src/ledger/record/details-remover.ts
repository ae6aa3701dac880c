import type { AuditEntry } from '../../audit/audit.ts';

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
