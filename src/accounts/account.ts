/** An account exists when a transaction of it is recorded, or a key is created for it. */
export interface Account {
  account: string;
  /** The number of its last change: 0 without transactions. */
  headSequence: number;
  /** How many of its keys are accepted now. */
  keys: number;
}

export interface AccountQuery {
  /** Accounts after this one, in the order of bytes; null from the first. */
  after: string | null;
  /** Only accounts that begin with it; null for all. */
  prefix: string | null;
  /** At this time, expired keys are not counted. */
  nowMs: number;
}

export interface AccountLister {
  /** The first accounts that match, at most `limit`, in the order of bytes. */
  listAccounts(query: AccountQuery, limit: number): Promise<Account[]>;
}

/** Accounts are texts between these, in the order of bytes: after the first, from the second and before the third. */
export function accountRange({ after, prefix }: AccountQuery): [after: string, from: string, before: string] {
  // No character of an account comes after "z".
  return [after ?? '', prefix ?? '', `${prefix ?? ''}\x7f`];
}

export type HeadRow = [account: string, headSequence: number];
export type KeysRow = [account: string, keys: number];

/** The first accounts of both lists. Each list is in the order of bytes, and has the first `limit` of its own. */
export function mergeAccounts(heads: readonly HeadRow[], keys: readonly KeysRow[], limit: number): Account[] {
  const headOf = new Map(heads);
  const keysOf = new Map(keys);
  return [...new Set([...headOf.keys(), ...keysOf.keys()])]
    .sort((one, other) => (one < other ? -1 : 1))
    .slice(0, limit)
    .map((account) => ({
      account,
      headSequence: headOf.get(account) ?? 0,
      keys: keysOf.get(account) ?? 0,
    }));
}
