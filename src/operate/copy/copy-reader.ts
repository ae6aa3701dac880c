import { NO_SEAL } from '../../ledger/seals/seal.ts';
import type { StoredRow, VerifyReader } from '../verify/verify-reader.ts';

/** The head sequence of an account, and the seal of its last sealed change. */
export interface AccountHead {
  account: string;
  head: number;
  /** Whether the account is being erased. */
  isClosed: boolean;
  /** 0 if nothing is sealed. */
  sealedSequence: number;
  seal: string;
}

/** An account of which nothing is sealed is sealed from its floor on. */
export const HEAD_COLUMNS = `accounts.account, accounts.head_sequence, CAST(accounts.closed_at_sequence IS NOT NULL AS integer),
  coalesce(seals.sequence, archives.floor_sequence, 0), coalesce(seals.seal, archives.floor_seal, '${NO_SEAL}')`;
export const HEAD_TABLES = `accounts LEFT JOIN seals ON seals.account = accounts.account
LEFT JOIN archives ON archives.account = accounts.account`;

export type HeadValues = [
  account: string,
  head: number,
  isClosed: number,
  sealedSequence: number,
  seal: string,
];

export const accountHeadOf = ([account, head, isClosed, sealedSequence, seal]: HeadValues): AccountHead => ({
  account,
  head,
  isClosed: isClosed === 1,
  sealedSequence,
  seal,
});

/** The changes of an account after `after` up to `upTo`, both of them sequence numbers. */
export interface ChangeRange {
  account: string;
  after: number;
  upTo: number;
}

/**
 * The reads of `transactions copy`, of its source and of its target, on a connection that nothing else uses. Each read is short and sees
 * all that was committed before it began, so that a service can use the database meanwhile.
 *
 * Every method throws StoreUnavailable if the database can't answer now, and StorageDamaged if it can't read what it stored.
 */
export interface CopyReader extends VerifyReader {
  /** What distinguishes this database from every other one: two addresses of one database have the same. */
  readIdentity(): Promise<string>;
  /** The heads of the next accounts after one in the order of accounts, by bytes. Fewer than `limit` are the last ones. */
  listHeads(after: string, limit: number): Promise<AccountHead[]>;
  /**
   * For each range, the transactions with a change in it, each once and as they are now, in any order. The head of the account was at
   * least `upTo` before.
   */
  readChanges(ranges: readonly ChangeRange[]): Promise<StoredRow[][]>;
}
