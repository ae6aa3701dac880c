import type { AuditEntry } from '../../audit/audit.ts';
import { TABLES, type Table, tablesWith } from '../../values/tables.ts';

/** The values of the key columns behind the account. */
export type RowPlace = readonly (string | number)[];

/**
 * The removal of everything that belongs to an account. Each call is one short transaction of the database, on the disk when it resolves.
 *
 * Every method throws StoreUnavailable if the database can't write now.
 */
export interface AccountEraser {
  /**
   * Closes an account: from here on, no recording gets a number, and nothing is sealed. Returns the head sequence, or undefined, with nothing
   * changed, if no table has anything of the account. An account that is closed already stays closed. The audit trail has each closing.
   */
  close(account: string, entry: AuditEntry): Promise<number | undefined>;
  /**
   * Removes the next rows of a table, at most `limit`, after a place in the order of its key; null is before the first. Returns where it
   * ended, or undefined after the last.
   */
  removeRows(
    table: Table,
    account: string,
    after: RowPlace | null,
    limit: number,
  ): Promise<RowPlace | undefined>;
  /** The last end of its keys as it was recorded, or 0: each is larger than all before, whatever the clock was. */
  lastKeyEnd(account: string): Promise<number>;
  /**
   * Removes the rest and opens the account again: its numbers begin at 1. Returns false, with nothing changed, if it has a key that was not
   * revoked, or whose end was recorded after `settledEnd`.
   */
  open(account: string, settledEnd: number, entry: AuditEntry): Promise<boolean>;
  end(): Promise<void>;
}

/** All tables with rows that are removed with their account. */
export const OF_ACCOUNTS = tablesWith(
  ({ belongsTo, outlivesAccount }) => belongsTo === 'account' && outlivesAccount !== true,
);

/** The key columns of a table behind the account. */
export const keyInAccount = (table: Table): readonly string[] => TABLES[table].key.slice(1);

/** What is removed row by row before the account is opened again: of the others, it has one row. Its keys are needed until every service has read their ends. */
export const REMOVED_ROW_BY_ROW = OF_ACCOUNTS.filter(
  (table) => table !== 'api_keys' && keyInAccount(table).length > 0,
);

/** What is removed when the account is opened again: also what was written meanwhile. */
export const REMOVED_AT_THE_END = OF_ACCOUNTS.filter((table) => table !== 'accounts' && table !== 'api_keys');
