import { NO_SEAL } from '../../ledger/seals/seal.ts';
import type { StoredRow } from '../stored-rows.ts';
import type { VerifyReader } from '../verify-reader.ts';

export interface AccountHead {
  account: string;
  head: number;
  isClosed: boolean;
  /** When the account was last erased. Its sequence numbers then began at 1 again. */
  erasedAtMs: number | null;
  /** Final transactions that were created before this time are archived. 0 if there is no archive. */
  archivedBeforeMs: number;
  floorSequence: number;
  removedChanges: number;
  sealedSequence: number;
  seal: string;
}

export const HEADS = `SELECT accounts.account, accounts.head_sequence, CAST(accounts.closed_at_sequence IS NOT NULL AS integer), accounts.erased_at_ms,
  coalesce(archives.before_ms, 0), coalesce(archives.floor_sequence, 0), coalesce(archives.removed_changes, 0),
  coalesce(seals.sequence, 0), coalesce(seals.seal, '${NO_SEAL}')
FROM accounts LEFT JOIN seals ON seals.account = accounts.account LEFT JOIN archives ON archives.account = accounts.account`;

export type HeadValues = [string, number, number, number | null, number, number, number, number, string];

export const accountHeadOf = ([account, head, isClosed, erasedAtMs, ...rest]: HeadValues): AccountHead => {
  const [archivedBeforeMs, floorSequence, removedChanges, sealedSequence, seal] = rest;
  return {
    ...{ account, head, isClosed: isClosed === 1, erasedAtMs },
    ...{ archivedBeforeMs, floorSequence, removedChanges, sealedSequence, seal },
  };
};

export const LAST_ACCOUNT = '\u{10ffff}';

/** The range excludes `after` and includes `upTo`. */
export interface ChangeRange {
  account: string;
  after: number;
  upTo: number;
}

export interface CopyReader extends VerifyReader {
  /** The identity is the same at all addresses of a database, and no other database has it. */
  readIdentity(): Promise<string>;
  listHeads(after: string, upTo: string, limit: number): Promise<AccountHead[]>;
  findHead(account: string): Promise<AccountHead | undefined>;
  /** Returns the rows of each range, in any order. `upTo` must not be above the account's head. */
  readChanges(ranges: readonly ChangeRange[]): Promise<StoredRow[][]>;
  findRows(account: string, references: readonly string[]): Promise<StoredRow[]>;
}
