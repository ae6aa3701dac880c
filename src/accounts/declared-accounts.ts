import type { FieldFault } from '../../values/field-fault.ts';
import { inGroups, READS_AT_ONCE } from '../../values/in-groups.ts';
import { quote } from '../../values/quote.ts';
import type { AccountLister } from './account.ts';

/** The fault of an account that is not declared: a misspelt name would make another account. */
export const accountNotDeclared = (account: string): FieldFault => ({
  field: 'account',
  code: 'account_not_declared',
  detail: `${quote(account)} is not declared, and ACCOUNTS=declared allows no other; correct the name, or declare it by making an API key for it`,
});

/**
 * True if an account has recorded transactions or an API key. In byte order, a name is before all longer
 * names that begin with it.
 */
export async function isKnownAccount(lister: AccountLister, account: string): Promise<boolean> {
  const [first] = await lister.listAccounts({ after: null, prefix: account }, 1);
  return first?.account === account;
}

/**
 * A declared account is looked up again after this time, so an erased one is accepted for this long at most.
 */
const DECLARED_FOR_MS = 60_000;
const MAX_REMEMBERED = 100_000;

/** The accounts that exist: those with recorded transactions or an API key. */
export class DeclaredAccounts {
  readonly #lister: AccountLister;
  readonly #monotonicMs: () => number;
  /**
   * The time at which a declared account is looked up again. Undeclared ones are looked up each time, so that
   * a new key declares its account at once.
   */
  readonly #lookUpAgainAtMs = new Map<string, number>();

  constructor(lister: AccountLister, monotonicMs: () => number) {
    this.#lister = lister;
    this.#monotonicMs = monotonicMs;
  }

  /** Returns the accounts that are not declared. */
  async undeclared(accounts: Iterable<string>): Promise<Set<string>> {
    const unknown = [...new Set(accounts)].filter(
      (account) => (this.#lookUpAgainAtMs.get(account) ?? 0) <= this.#monotonicMs(),
    );
    const areDeclared = await inGroups(unknown, READS_AT_ONCE, (account) => this.#lookUp(account));
    return new Set(unknown.filter((_, index) => !areDeclared[index]));
  }

  async #lookUp(account: string): Promise<boolean> {
    const isDeclared = await isKnownAccount(this.#lister, account);
    this.#lookUpAgainAtMs.delete(account);
    if (!isDeclared) return false;
    if (this.#lookUpAgainAtMs.size === MAX_REMEMBERED) this.#lookUpAgainAtMs.clear();
    this.#lookUpAgainAtMs.set(account, this.#monotonicMs() + DECLARED_FOR_MS);
    return true;
  }
}
