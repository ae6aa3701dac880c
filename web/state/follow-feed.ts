import type { Change, ChangePage } from '../../client/src/change.ts';
import { readChangePage } from '../../client/src/change-page.ts';
import { LostPositionError } from '../../client/src/errors.ts';
import type { Send, SendSettings } from '../../client/src/send.ts';
import { fetchTotals } from '../../client/src/totals.ts';
import { MAX_ITEMS } from '../../values/interface/limits.ts';

export interface FeedPosition {
  after: number;
  afterId?: string;
}

/** A message to all tabs from the tab that follows the feed. */
export interface News {
  isLive: boolean;
  hasMissed?: boolean;
  changes: readonly Change[];
  begunAfter?: number | undefined;
  position?: FeedPosition | undefined;
}

const WAIT_SECONDS = 10;
const INTERVAL_MS = 1000;
/** Following starts this many changes before the head, to include changes since the list was loaded. */
const BEFORE_HEAD = 20;
const MAX_BEHIND = 2000;

/** Goes on after temporary failures and after a lost position. Throws all other failures. */
export async function followFeed(
  { send, sleep }: { send: Send } & Pick<SendSettings, 'sleep'>,
  positionOf: () => FeedPosition | undefined,
  report: (news: News) => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      const known = positionOf();
      let position = known ?? (await lastPosition(send, signal));
      let begunAfter = known ? undefined : position.after;
      // The first request is answered at once, so that the page can soon show that it is live.
      for (let wait = 0; ; wait = WAIT_SECONDS) {
        const page = await readChanges(send, { ...position, limit: MAX_ITEMS, wait }, signal);
        position = { after: page.lastSequence, ...(page.lastId !== null && { afterId: page.lastId }) };
        const hasMissed = page.headSequence - page.lastSequence > MAX_BEHIND;
        if (hasMissed) position = await lastPosition(send, signal);
        report({ isLive: true, hasMissed, changes: page.data, begunAfter, position });
        begunAfter = undefined;
        await sleep(INTERVAL_MS, signal);
      }
    } catch (error) {
      // The position is lost if the database was restored from a backup, or if changes were archived.
      if (!(error instanceof LostPositionError)) throw error;
      const hasMissed = positionOf() !== undefined;
      const position = await lastPosition(send, signal, error.floorSequence ?? 0);
      report({ isLive: false, hasMissed, changes: [], begunAfter: position.after, position });
    }
  }
}

async function lastPosition(send: Send, signal: AbortSignal, archivedUpTo = 0): Promise<{ after: number }> {
  return { after: Math.max(archivedUpTo, (await headOfFeed(send, signal)) - BEFORE_HEAD) };
}

/** Asks for totals, because the feed refuses a position among archived changes. */
export async function headOfFeed(send: Send, signal: AbortSignal): Promise<number> {
  const sendOfFeed: Send = (call, options) => send(call, options, 0, true);
  const { asOf } = await fetchTotals(sendOfFeed, '/v1', { to: '1970-01-01' }, { signal });
  return asOf;
}

export async function readChanges(
  send: Send,
  query: FeedPosition & { limit: number; wait?: number },
  signal: AbortSignal,
): Promise<ChangePage> {
  const texts = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const { wait = 0 } = query;
  const { body, requestId } = await send(`/v1/changes?${texts.join('&')}`, { signal }, wait * 1000, true);
  return readChangePage(body, query, requestId);
}
