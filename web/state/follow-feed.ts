import type { Change, ChangePage } from '../../client/src/change.ts';
import { readChangePage } from '../../client/src/change-page.ts';
import { LostPositionError } from '../../client/src/errors.ts';
import type { Send, SendSettings } from '../../client/src/send.ts';
import { MAX_ITEMS } from '../../values/interface/limits.ts';

export interface FeedPosition {
  after: number;
  afterId?: string;
}

/** The message of the tab that follows the feed to all tabs. */
export interface News {
  /** True if changes arrive as they are recorded. */
  isLive: boolean;
  /** True if there were too many changes to read all of them, or the feed had to begin again. */
  hasMissed?: boolean;
  changes: readonly Change[];
  /** Where the feed began without a known position: nothing up to there was read. */
  begunAfter?: number | undefined;
  /** Where the feed continues. */
  position?: FeedPosition | undefined;
}

/** A service that hangs is noticed after this and the time limit of a request. */
const WAIT_SECONDS = 10;
/** Between requests: however often an account records, a browser sends few. */
const INTERVAL_MS = 1000;
/**
 * A list can have been read a moment before the feed: what was recorded between them is among the last
 * changes.
 */
const BEFORE_HEAD = 20;
/** Changes further back are not worth the requests. */
const MAX_BEHIND = 2000;

/**
 * Follows the change feed until the signal aborts: from a position, or from a little before the end of the
 * feed. A failure that can pass is retried; any other one is thrown.
 */
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
      // The first page comes at once: nothing is live before a response.
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
      // The database was restored from a backup, or changes were archived.
      if (!(error instanceof LostPositionError)) throw error;
      report({ isLive: false, hasMissed: true, changes: [], position: await lastPosition(send, signal) });
    }
  }
}

/** A little before the end of the feed. */
async function lastPosition(send: Send, signal: AbortSignal): Promise<FeedPosition> {
  const { floor, headSequence } = await endsOfFeed(send, signal);
  return { after: Math.max(floor, headSequence - BEFORE_HEAD) };
}

/** The numbers of the last change, and of the one before the first that is not archived. */
export async function endsOfFeed(
  send: Send,
  signal: AbortSignal,
): Promise<{ floor: number; headSequence: number }> {
  let floor = 0;
  for (;;) {
    try {
      const { headSequence } = await readChanges(send, { after: floor, limit: 1 }, signal);
      return { floor, headSequence };
    } catch (error) {
      if (!(error instanceof LostPositionError) || floor > 0 || !error.floorSequence) throw error;
      floor = error.floorSequence;
    }
  }
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
