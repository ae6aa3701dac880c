import { nothingVerified, type Verified } from '../verify/disagreement.ts';
import type { ComparedSides } from './compare-sides.ts';
import type { CopyReader } from './copy-reader.ts';
import { headsOf } from './heads.ts';
import { byText } from './merge-pages.ts';

/** An account that was equal on both sides, and right in the target. */
export interface CheckedAccount {
  /** The head of the target for which that holds: its roll-up is folded up to it. 0 if it has none. */
  head: number;
  transactions: number;
  verified: Readonly<Verified>;
}

/**
 * The accounts that were compared and verified while the copy follows. A change always raises the head of its account, on both sides, and
 * only this copy writes to the target. So an account with the same head has the same transactions, and is not checked again at the end.
 *
 * It takes some hundred bytes for each account.
 */
export class CheckedAccounts {
  readonly #checked = new Map<string, CheckedAccount>();
  #walkedTo: string | null = '';

  /** How many accounts are checked, and have not changed since. */
  get size(): number {
    return this.#checked.size;
  }

  add(account: string, checked: CheckedAccount): void {
    this.#checked.set(account, checked);
  }

  /** A change of the account was copied. */
  drop(account: string): void {
    this.#checked.delete(account);
  }

  has(account: string, head: number): boolean {
    return this.#checked.get(account)?.head === head;
  }

  /**
   * All accounts up to one were walked, whatever table has them; null is all. What appears there later was copied, so it has a head:
   * the list of heads has it.
   */
  walked(account: string | null): void {
    this.#walkedTo = account;
  }

  /** Drops the accounts whose heads have moved, by the heads that the target has now. */
  async dropMoved(target: CopyReader): Promise<void> {
    for await (const { account, head } of headsOf(target))
      if (!this.has(account, head)) this.#checked.delete(account);
  }

  /** The accounts that are not checked. `walkAfter` lists those after one. */
  async *remaining(
    target: CopyReader,
    walkAfter: (account: string) => AsyncIterable<string>,
  ): AsyncGenerator<string, undefined> {
    const walkedTo = this.#walkedTo;
    for await (const { account, head } of headsOf(target)) {
      if (walkedTo !== null && byText(account, walkedTo) > 0) break;
      if (!this.has(account, head)) yield account;
    }
    if (walkedTo !== null) yield* walkAfter(walkedTo);
    return undefined;
  }

  compared(): ComparedSides {
    const compared: ComparedSides = { accounts: this.size, transactions: 0 };
    for (const { transactions } of this.#checked.values()) compared.transactions += transactions;
    return compared;
  }

  verified(): Verified {
    const sum = nothingVerified();
    for (const { verified } of this.#checked.values())
      for (const name of Object.keys(sum) as (keyof Verified)[]) sum[name] += verified[name];
    return sum;
  }
}
