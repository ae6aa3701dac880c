import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import type { Db } from '../db/db.ts';
import { statementsOf } from '../db/statement.ts';
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
function accountRange({ after, prefix }: AccountQuery) {
  // The operator's keys have the account "*". No account begins with a character before "*" or after "z".
  return { after: after ?? OPERATOR_ACCOUNT, from: prefix ?? '', before: `${prefix ?? ''}\x7f` };
}

interface Head {
  account: string;
  sequence: number;
  nonce: number | null;
}

/**
 * Merges two lists of accounts in byte order, each with its own first `limit`, and returns the first `limit`
 * of both.
 */
function mergeAccounts(heads: readonly Head[], withKeys: readonly string[], limit: number): Account[] {
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

const sql = statementsOf(new URL('./accounts.sql', import.meta.url));
// Two queries, because Citus distributes the heads, and the keys are on the coordinator.
const LIST_HEADS = sql('listHeads', (row) => ({
  account: row.text(),
  sequence: row.integer(),
  nonce: row.integerOrNull(),
}));
const LIST_WITH_KEYS = sql('listAccountsWithKeys', (row) => row.text());

/**
 * Accounts with transactions are those with heads, and all others are those with keys. The operator's keys
 * have no account.
 */
export const accountLister = (db: Db): AccountLister => ({
  listAccounts: async (query, limit) => {
    const range = { ...accountRange(query), limit };
    const [heads, withKeys] = await Promise.all([db.read(LIST_HEADS, range), db.read(LIST_WITH_KEYS, range)]);
    return mergeAccounts(heads, withKeys, limit);
  },
});
