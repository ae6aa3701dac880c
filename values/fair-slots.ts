import { Unavailable, type UnavailableReason } from './unavailable.ts';

interface AccountLimit {
  most: number;
  refusal: () => Error;
}

/** An account gets another slot only while it holds fewer slots than are free. */
export class FairSlots {
  readonly #slots: number;
  readonly #ofAccount: AccountLimit | undefined;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(slots: number, ofAccount?: AccountLimit) {
    this.#slots = slots;
    this.#ofAccount = ofAccount;
  }

  get taken(): number {
    return this.#taken;
  }

  heldBy(account: string): number {
    return this.#held.get(account) ?? 0;
  }

  hasRoomFor(account: string): boolean {
    return this.heldBy(account) < this.#slots - this.#taken;
  }

  takeFree(account: string, reason: UnavailableReason): void {
    if (this.#ofAccount && this.heldBy(account) >= this.#ofAccount.most) throw this.#ofAccount.refusal();
    if (!this.hasRoomFor(account)) throw new Unavailable(reason);
    this.take(account);
  }

  take(account: string): void {
    this.#taken++;
    this.#held.set(account, this.heldBy(account) + 1);
  }

  giveBack(account: string): void {
    this.#taken--;
    const left = this.heldBy(account) - 1;
    if (left === 0) this.#held.delete(account);
    else this.#held.set(account, left);
  }

  async run<Result>(
    account: string,
    reason: UnavailableReason,
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.takeFree(account, reason);
    try {
      return await work();
    } finally {
      this.giveBack(account);
    }
  }
}
