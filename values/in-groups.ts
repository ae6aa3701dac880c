/** With more reads at once, requests would have to wait in the database's queue. */
export const READS_AT_ONCE = 50;

export async function inGroups<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += size)
    results.push(...(await Promise.all(items.slice(first, first + size).map(work))));
  return results;
}
