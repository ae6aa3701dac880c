import { refuseData } from './misuse.ts';
import { isObject, isText } from './response.ts';

/** A page of a collection. */
export interface CollectionPage<Item> {
  data: Item[];
  /** The `cursor` for the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
}

export const isPageOf =
  <Item>(isItem: (value: unknown) => value is Item) =>
  (value: unknown): value is CollectionPage<Item> =>
    isObject(value) &&
    Array.isArray(value['data']) &&
    value['data'].every(isItem) &&
    (value['hasMore'] === true ? isText(value['nextCursor']) : value['nextCursor'] === null);

/** The path of a page. Without a cursor, that is the first page. */
export const pathOfPage = (path: string, cursor: string | null) =>
  cursor === null ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;

export const itemsOf = <Item>(readPage: (cursor: string | null) => Promise<CollectionPage<Item>>) =>
  refuseData(readItems(readPage));

async function* readItems<Item>(
  readPage: (cursor: string | null) => Promise<CollectionPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null = null; ; ) {
    const { data, nextCursor }: CollectionPage<Item> = await readPage(cursor);
    yield* data;
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

export async function allItems<Item>(
  readPage: (cursor: string | null) => Promise<CollectionPage<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of readItems(readPage)) items.push(item);
  return items;
}
