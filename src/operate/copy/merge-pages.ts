/** The next of two ordered lists. An item that both lists have is one pair. */
type Pair<Item> = [left: Item | undefined, right: Item | undefined];

/**
 * Merges two ordered lists of pages. `order` is negative if the first item is before the second one, and 0 if they have the same place.
 * Both lists are read at the same time.
 */
export async function* mergePages<Item>(
  left: AsyncIterator<readonly Item[]>,
  right: AsyncIterator<readonly Item[]>,
  order: (left: Item, right: Item) => number,
): AsyncGenerator<Pair<Item>[], undefined> {
  const sides = [new Side(left), new Side(right)] as const;
  const [ours, theirs] = sides;
  for (;;) {
    await Promise.all(sides.map((side) => side.fill()));
    const pairs: Pair<Item>[] = [];
    while (!ours.isUsedUp && !theirs.isUsedUp) {
      const compared = order(ours.first, theirs.first);
      pairs.push([compared <= 0 ? ours.take() : undefined, compared >= 0 ? theirs.take() : undefined]);
    }
    // The rest of a side belongs to pairs only if the other side has ended.
    if (theirs.isDone) while (!ours.isUsedUp) pairs.push([ours.take(), undefined]);
    if (ours.isDone) while (!theirs.isUsedUp) pairs.push([undefined, theirs.take()]);
    if (pairs.length === 0) return undefined;
    yield pairs;
  }
}

class Side<Item> {
  readonly #pages: AsyncIterator<readonly Item[]>;
  #page: readonly Item[] = [];
  #next = 0;
  isDone = false;

  constructor(pages: AsyncIterator<readonly Item[]>) {
    this.#pages = pages;
  }

  get isUsedUp(): boolean {
    return this.#next >= this.#page.length;
  }

  get first(): Item {
    return this.#page[this.#next] as Item;
  }

  take(): Item {
    return this.#page[this.#next++] as Item;
  }

  /** Reads the next page, if there is nothing left of the last one. */
  async fill(): Promise<void> {
    while (this.isUsedUp && !this.isDone) {
      const { done, value } = await this.#pages.next();
      this.#page = done === true ? [] : value;
      this.#next = 0;
      this.isDone = done === true;
    }
  }
}

/** The order of texts by bytes: all that are compared are ASCII. */
export const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
