const PAGE_SIZE = 1000;

export async function* pagesOf<Item>(
  read: (after: Item | null, count: number) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  for (let after: Item | null = null; ; ) {
    const page: Item[] = await read(after, PAGE_SIZE);
    if (page.length > 0) yield page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1) as Item;
  }
}

export async function* mappedPages<Item, Shown>(
  pages: AsyncIterable<readonly Item[]>,
  shown: (item: Item) => Shown,
): AsyncGenerator<Shown[]> {
  for await (const page of pages) yield page.map(shown);
}

export async function* filteredPages<Item>(
  pages: AsyncIterable<readonly Item[]>,
  condition: (item: Item) => boolean,
): AsyncGenerator<Item[]> {
  for await (const page of pages) {
    const filtered = page.filter(condition);
    if (filtered.length > 0) yield filtered;
  }
}
