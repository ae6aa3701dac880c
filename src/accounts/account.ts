import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { changeId } from '../ledger/changes/change.ts';

/** An account exists when a transaction of it is recorded, or a key is created for it. */
export interface Account {
  account: string;
  /** The number of its last change: 0 without transactions. */
  headSequence: number;
  /** The id of that change: null without transactions. */
  headId: string | null;
}

interface AccountQuery {
  /** Accounts after this one, in the order of bytes; null from the first. */
  after: string | null;
  /** Only accounts that begin with it; null for all. */
  prefix: string | null;
}

export interface AccountLister {
  /** The first accounts that match, at most `limit`, in the order of bytes. */
  listAccounts(query: AccountQuery, limit: number): Promise<Account[]>;
}

/** A range of accounts in byte order: after `after`, from `from` on, and before `before`. */
export function accountRange({ after, prefix }: AccountQuery) {
  // The operator's keys have the account "*". No account begins with a character before "*" or after "z".
  return { after: after ?? OPERATOR_ACCOUNT, from: prefix ?? '', before: `${prefix ?? ''}\x7f` };
}

export interface Head {
  account: string;
  sequence: number;
  nonce: number | null;
}

/**
 * Merges two lists of accounts in byte order, each with its own first `limit`, and returns the first `limit`
 * of both.
 */
export function mergeAccounts(heads: readonly Head[], withKeys: readonly string[], limit: number): Account[] {
  const headOf = new Map(
    heads.map(({ account, sequence, nonce }) => {
      const headId = nonce === null ? null : changeId(account, { sequence, nonce });
      return [account, { account, headSequence: sequence, headId }];
    }),
  );
  return [...new Set([...headOf.keys(), ...withKeys])]
    .sort((left, right) => (left < right ? -1 : 1))
    .slice(0, limit)
    .map((account) => headOf.get(account) ?? { account, headSequence: 0, headId: null });
}
