import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import type { FieldFault } from '../../values/fault-list.ts';
import { inGroups, READS_AT_ONCE } from '../../values/in-groups.ts';
import { quote } from '../../values/quote.ts';
import type { Db } from '../db/db.ts';
import { statementsOf } from '../db/statement.ts';
import { changeId } from '../ledger/changes/change.ts';

export interface Account {
  account: string;
  headSequence: number;
  headId: string | null;
}

interface AccountQuery {
  after: string | null;
  prefix: string | null;
}

export interface AccountLister {
  listAccounts(query: AccountQuery, limit: number): Promise<Account[]>;
}

const sql = statementsOf(new URL('./accounts.sql', import.meta.url));
// On Citus, `accounts` is on the workers and `api_keys` is on the coordinator, so one query can't read both.
const LIST_HEADS = sql('listHeads', (row): Account => {
  const account = row.text();
  const sequence = row.integer();
  const nonce = row.integerOrNull();
  const headId = nonce === null ? null : changeId(account, { sequence, nonce });
  return { account, headSequence: sequence, headId };
});
const LIST_WITH_KEYS = sql('listAccountsWithKeys', (row) => row.text());

export const accountLister = (db: Db): AccountLister => ({
  listAccounts: async ({ after, prefix }, limit) => {
    // OPERATOR_ACCOUNT sorts before all accounts. The range begins after it, so it is not listed.
    const [first, from] = [after ?? OPERATOR_ACCOUNT, prefix ?? ''];
    const range = { after: first, from, before: `${from}\x7f`, limit };
    const [heads, withKeys] = await Promise.all([db.read(LIST_HEADS, range), db.read(LIST_WITH_KEYS, range)]);
    const byName = new Map(withKeys.map((account): [string, Account] => [account, { account, ...NO_HEAD }]));
    for (const head of heads) byName.set(head.account, head);
    return [...byName.values()]
      .sort((left, right) => (left.account < right.account ? -1 : 1))
      .slice(0, limit);
  },
});

const NO_HEAD = { headSequence: 0, headId: null };

export const accountNotDeclared = (account: string): FieldFault => ({
  field: 'account',
  code: 'account_not_declared',
  detail: `${quote(account)} is not declared, and ACCOUNTS=declared allows only declared accounts; correct the name, or make an API key for the account, which declares it`,
});

/** Reads only one account, because a name sorts before all longer names that begin with that name. */
export async function isKnownAccount(lister: AccountLister, account: string): Promise<boolean> {
  const [first] = await lister.listAccounts({ after: null, prefix: account }, 1);
  return first?.account === account;
}

/** A found account is accepted for this long without another look-up, even if it is erased meanwhile. */
const DECLARED_FOR_MS = 60_000;
const MAX_REMEMBERED = 100_000;

export type DeclaredAccounts = ReturnType<typeof declaredAccounts>;

export function declaredAccounts(lister: AccountLister, monotonicMs: () => number) {
  /** Missing accounts are not stored here, so that a new account is accepted as soon as it exists. */
  const lookUpAgainAtMs = new Map<string, number>();
  const lookUp = async (account: string) => {
    const isDeclared = await isKnownAccount(lister, account);
    lookUpAgainAtMs.delete(account);
    if (!isDeclared) return false;
    if (lookUpAgainAtMs.size === MAX_REMEMBERED) lookUpAgainAtMs.clear();
    lookUpAgainAtMs.set(account, monotonicMs() + DECLARED_FOR_MS);
    return true;
  };
  return {
    undeclared: async (accounts: Iterable<string>): Promise<Set<string>> => {
      const unknown = [...new Set(accounts)].filter(
        (account) => (lookUpAgainAtMs.get(account) ?? 0) <= monotonicMs(),
      );
      const areDeclared = await inGroups(unknown, READS_AT_ONCE, lookUp);
      return new Set(unknown.filter((_, index) => !areDeclared[index]));
    },
  };
}
