import { CursorExpiredError } from './errors.ts';
import { refuseData } from './misuse.ts';
import { isObject, isText } from './response.ts';

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

export const pathOfPage = (path: string, cursor: string | null) =>
  cursor === null ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;

type ReadPage<Page> = (cursor: string | null) => Promise<Page>;
type AnyPage = Pick<CollectionPage<unknown>, 'nextCursor'>;

export const pagesOf = <Page extends AnyPage>(readPage: ReadPage<Page>) => refuseData(readPages(readPage));

async function* readPages<Page extends AnyPage>(
  readPage: ReadPage<Page>,
): AsyncGenerator<Page, void, undefined> {
  for (let cursor: string | null = null; ; ) {
    const page: Page = await readPage(cursor).catch((error) => {
      if (!(error instanceof CursorExpiredError) || error.cursor === null) throw error;
      return readPage(error.cursor);
    });
    yield page;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

export const itemsOf = <Item>(readPage: ReadPage<CollectionPage<Item>>) => refuseData(readItems(readPage));

async function* readItems<Item>(
  readPage: ReadPage<CollectionPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of readPages(readPage)) yield* data;
}

export async function allItems<Item>(readPage: ReadPage<CollectionPage<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of readItems(readPage)) items.push(item);
  return items;
}
