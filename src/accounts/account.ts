import { changeId } from '../ledger/changes/change.ts';
import { OPERATOR_ACCOUNT } from '../values/caller.ts';

/** An account exists when a transaction of it is recorded, or a key is created for it. */
export interface Account {
  account: string;
  /** The number of its last change: 0 without transactions. */
  headSequence: number;
  /** The id of that change: null without transactions. */
  headId: string | null;
}

export interface AccountQuery {
  /** Accounts after this one, in the order of bytes; null from the first. */
  after: string | null;
  /** Only accounts that begin with it; null for all. */
  prefix: string | null;
}

export interface AccountLister {
  /** The first accounts that match, at most `limit`, in the order of bytes. */
  listAccounts(query: AccountQuery, limit: number): Promise<Account[]>;
}

/** Accounts are texts between these, in the order of bytes: after the first, from the second and before the third. */
export function accountRange({ after, prefix }: AccountQuery): [after: string, from: string, before: string] {
  // The operator's keys have "*" as their account, which is before each character of an account; none comes after "z".
  return [after ?? OPERATOR_ACCOUNT, prefix ?? '', `${prefix ?? ''}\x7f`];
}

export type HeadRow = [account: string, headSequence: number, nonce: number | null];
export type AccountRow = [account: string];

/** The accounts with keys, found one after another in the index: an account costs the same whatever keys it has. `$1` to `$4` are the range and the limit. */
export const LIST_ACCOUNTS_WITH_KEYS = `WITH RECURSIVE found(account) AS (
  SELECT min(account) FROM api_keys WHERE kind = 'key' AND account > $1 AND account >= $2 AND account < $3
  UNION ALL
  SELECT (SELECT min(k.account) FROM api_keys AS k WHERE k.kind = 'key' AND k.account > found.account AND k.account < $3) FROM found WHERE found.account IS NOT NULL
)
SELECT account FROM found WHERE account IS NOT NULL LIMIT $4`;

/** The first accounts of both lists. Each list is in the order of bytes, and has the first `limit` of its own. */
export function mergeAccounts(
  heads: readonly HeadRow[],
  withKeys: readonly AccountRow[],
  limit: number,
): Account[] {
  const headOf = new Map(
    heads.map(([account, sequence, nonce]) => {
      const headId = nonce === null ? null : changeId(account, { sequence, nonce });
      return [account, { account, headSequence: sequence, headId }];
    }),
  );
  return [...new Set([...headOf.keys(), ...withKeys.map(([account]) => account)])]
    .sort((left, right) => (left < right ? -1 : 1))
    .slice(0, limit)
    .map((account) => headOf.get(account) ?? { account, headSequence: 0, headId: null });
}
