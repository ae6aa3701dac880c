import { sealCursor, unsealCursor } from './cursor.ts';
import { refuse } from './problem.ts';
import { readQuery } from './query.ts';
import type { Answer, Call } from './service.ts';
import { formatTime } from './times.ts';

const PAGE_SIZE = 10;

type Contents = { after: string; expiresAtMs: number };

/** A page of a collection: the items after the one that the cursor names. */
export function showPage<Item>(
  { service, account, query }: Call,
  name: string,
  items: readonly Item[],
  { idOf, show }: { idOf: (item: Item) => string; show: (item: Item) => object },
): Answer {
  const { values, faults } = readQuery(query, ['cursor']);
  const owner = `${name} of ${account}`;
  const cursor = values.get('cursor');
  const contents =
    cursor === undefined ? undefined : unsealCursor<Contents>(service.cursorSecret, owner, cursor);
  if (cursor !== undefined && contents === undefined)
    faults.push({
      parameter: 'cursor',
      code: 'cursor_malformed',
      detail: 'The cursor was not issued to you',
    });
  const expiresAtMs = service.now() + service.cursorLifetimeMs;
  const isExpired = contents !== undefined && contents.expiresAtMs <= service.now();
  if (isExpired)
    faults.push({ parameter: 'cursor', code: 'cursor_expired', detail: 'The cursor has expired' });
  const resume = () => `?cursor=${sealCursor(service.cursorSecret, owner, { ...contents, expiresAtMs })}`;
  refuse(faults, isExpired ? { resume: resume() } : {});

  const begin = contents === undefined ? 0 : items.findIndex((item) => idOf(item) === contents.after) + 1;
  const shown = items.slice(begin, begin + PAGE_SIZE);
  const last = shown.at(-1);
  const data = shown.map(show);
  if (last === undefined || begin + shown.length === items.length)
    return { status: 200, body: { data, nextCursor: null, hasMore: false } };
  const nextCursor = sealCursor(service.cursorSecret, owner, { after: idOf(last), expiresAtMs });
  const headers = { Link: `<?cursor=${nextCursor}>; rel="next"`, 'Cursor-Expires': formatTime(expiresAtMs) };
  return { status: 200, body: { data, nextCursor, hasMore: true }, headers };
}
