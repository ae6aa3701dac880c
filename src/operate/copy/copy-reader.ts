import { NO_SEAL } from '../../ledger/seals/seal.ts';
import type { StoredRow } from '../stored-rows.ts';
import type { VerifyReader } from '../verify-reader.ts';

export interface AccountHead {
  account: string;
  head: number;
  isClosed: boolean;
  /** When the account was last erased, after which its sequence numbers began at 1 again. */
  erasedAtMs: number | null;
  /** The end of the archived range; 0 without an archive. */
  archivedBeforeMs: number;
  floorSequence: number;
  removedChanges: number;
  /** 0 if nothing is sealed. */
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

/** A text that sorts after every account name. */
export const LAST_ACCOUNT = '\u{10ffff}';

/** The changes of an account after sequence number `after`, up to and including `upTo`. */
export interface ChangeRange {
  account: string;
  after: number;
  upTo: number;
}

/** The reads of `transactions copy`, of both databases. Their errors are those of VerifyReader. */
export interface CopyReader extends VerifyReader {
  /** The database's identity: the same at all its addresses, and different for every other database. */
  readIdentity(): Promise<string>;
  /** The heads of at most `limit` accounts after `after`, up to and including `upTo`, in byte order. */
  listHeads(after: string, upTo: string, limit: number): Promise<AccountHead[]>;
  findHead(account: string): Promise<AccountHead | undefined>;
  /**
   * For each range, the transactions with a change in it, as they are now, in any order, each once. Call it
   * only for ranges up to the head that the account had.
   */
  readChanges(ranges: readonly ChangeRange[]): Promise<StoredRow[][]>;
  findRows(account: string, references: readonly string[]): Promise<StoredRow[]>;
}
