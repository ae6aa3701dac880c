/** No place is free for another piece of work of an account. */
export class NoPlaceFree extends Error {
  override readonly name = 'NoPlaceFree';
}

/**
 * A number of places for work that takes long, which all accounts share. An account gets another place only while more places
 * are free than it has: one account alone gets half of them, and every further one finds a place until each has one.
 */
export class FairPlaces {
  readonly #places: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(places: number) {
    this.#places = places;
  }

  get taken(): number {
    return this.#taken;
  }

  heldBy(account: string): number {
    return this.#held.get(account) ?? 0;
  }

  hasRoomFor(account: string): boolean {
    return this.heldBy(account) < this.#places - this.#taken;
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

  /**
   * Runs work in a place.
   *
   * Throws: NoPlaceFree.
   */
  async run<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.hasRoomFor(account)) throw new NoPlaceFree('every place is taken');
    this.take(account);
    try {
      return await work();
    } finally {
      this.giveBack(account);
    }
  }
}
