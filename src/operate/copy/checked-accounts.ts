import { nothingVerified, type Verified } from '../verify/disagreement.ts';
import type { ComparedSides } from './compare-sides.ts';
import type { CopyReader } from './copy-reader.ts';
import { headsOf } from './heads.ts';
import { byText } from './merge-pages.ts';

/** An account that was equal on both sides, and right in the target. */
interface CheckedAccount {
  /** When the first of its rows was read. What SQL changes past the service after that is not seen. */
  checkedAtMs: number;
  /** The head of the target for which that holds; 0 if it has none. */
  head: number;
  transactions: number;
  verified: Readonly<Verified>;
}

/** What was equal when it was compared, and has had no change since. */
export interface ComparedWhileFollowing extends ComparedSides {
  /** When the first of these accounts was compared. */
  sinceMs: number;
}

/**
 * The accounts that were compared and verified while the copy follows. A change always raises the head of its account, on both sides, and
 * only this copy writes to the target. So no change of an account with the same head was recorded since, and it is not checked again at
 * the end. Details can be removed without a change: the audit entry of it drops the account.
 *
 * It takes some hundred bytes for each account.
 */
export class CheckedAccounts {
  readonly #checked = new Map<string, CheckedAccount>();
  #passedTo: string | null = '';
  /** The account that is being checked, unless it was dropped since. */
  #checking: string | undefined;

  /** How many accounts are checked, and have not changed since. */
  get size(): number {
    return this.#checked.size;
  }

  /** Call it before the first row of an account is read. */
  begin(account: string): void {
    this.#checking = account;
  }

  /** An account that was dropped since `begin` is not added: its rows can have been read before. */
  add(account: string, checked: CheckedAccount): void {
    if (this.#checking === account) this.#checked.set(account, checked);
  }

  /** A change of the account was copied, or details of it were removed. */
  drop(account: string): void {
    this.#checked.delete(account);
    if (this.#checking === account) this.#checking = undefined;
  }

  has(account: string, head: number): boolean {
    return this.#checked.get(account)?.head === head;
  }

  /**
   * All accounts up to one were checked once, whatever table has them; null is all. What appears there later was copied, so it has a head:
   * the list of heads has it.
   */
  passed(account: string | null): void {
    this.#passedTo = account;
  }

  /** Drops the accounts whose heads have moved, by the heads that the target has now. */
  async dropMoved(target: CopyReader): Promise<void> {
    for await (const { account, head } of headsOf(target))
      if (!this.has(account, head)) this.#checked.delete(account);
  }

  /** The accounts that are not checked. `accountsAfter` lists those after one. */
  async *remaining(
    target: CopyReader,
    accountsAfter: (account: string) => AsyncIterable<string>,
  ): AsyncGenerator<string, undefined> {
    const passedTo = this.#passedTo;
    for await (const { account, head } of headsOf(target)) {
      if (passedTo !== null && byText(account, passedTo) > 0) break;
      if (!this.has(account, head)) yield account;
    }
    if (passedTo !== null) yield* accountsAfter(passedTo);
    return undefined;
  }

  /** Null if there is none. */
  compared(): ComparedWhileFollowing | null {
    if (this.size === 0) return null;
    const compared = { accounts: this.size, transactions: 0, sinceMs: Number.POSITIVE_INFINITY };
    for (const { transactions, checkedAtMs } of this.#checked.values()) {
      compared.transactions += transactions;
      compared.sinceMs = Math.min(compared.sinceMs, checkedAtMs);
    }
    return compared;
  }

  verified(): Verified {
    const sum = nothingVerified();
    for (const { verified } of this.#checked.values())
      for (const name of Object.keys(sum) as (keyof Verified)[]) sum[name] += verified[name];
    return sum;
  }
}
