import { useEffect, useState } from 'preact/hooks';
import type { Change } from '../../client/src/change.ts';
import { createSend } from '../../client/src/send.ts';
import { failureOf } from './api.ts';
import { openChannel } from './channel.ts';
import { type FeedPosition, followFeed, type News } from './follow-feed.ts';
import { settingsOf } from './settings.ts';
import { endIfRefused } from './signed-in.ts';

export interface Live {
  isLive: boolean;
  changes: readonly Change[];
  latest: ReadonlyMap<string, Change>;
  missed: number;
}

const MAX_KNOWN = 5000;
const QUESTION = 'is anyone live';

/** One visible tab follows the feed for all tabs. */
export function useLive(apiKey: string | undefined, account: string): Live {
  const [live, setLive] = useState<Live>({ isLive: false, changes: [], latest: new Map(), missed: 0 });
  useEffect(() => {
    if (apiKey === undefined) return;
    const name = `transactions.changes.${account}`;
    // Over plain HTTP, browsers have no `navigator.locks`.
    const channel = navigator.locks && openChannel(name);
    if (channel === undefined) return;
    let position: FeedPosition | undefined;
    let isFollowing = false;
    /** True if changes may have been missed after the page was loaded, for example in a hidden tab. */
    let wasPaused = false;
    const take = (news: News) => {
      const { begunAfter = 0 } = news;
      const hasMissed = news.hasMissed || (position?.after ?? (wasPaused ? 0 : begunAfter)) < begunAfter;
      position = news.position ?? position;
      wasPaused ||= !news.isLive;
      setLive((before) => withNews(before, { ...news, hasMissed }));
    };
    const tell = (news: News) => {
      isFollowing = news.isLive;
      take(news);
      channel.postMessage(news);
    };
    const pause = () => tell({ isLive: false, changes: [] });
    channel.onmessage = ({ data }: MessageEvent<News | typeof QUESTION>) => {
      if (data !== QUESTION) take(data);
      else if (isFollowing) channel.postMessage({ isLive: true, changes: [], position } satisfies News);
    };

    const settings = settingsOf(apiKey, { onRetry: pause });
    const feed = { send: createSend(settings), sleep: settings.sleep };
    const lead = async (signal: AbortSignal) => {
      try {
        await navigator.locks.request(name, { signal }, () => followFeed(feed, () => position, tell, signal));
      } catch (error) {
        if (signal.aborted) return;
        pause();
        endIfRefused(failureOf(error));
      }
    };
    let abort = new AbortController();
    const update = () => {
      abort.abort();
      isFollowing = false;
      // A hidden tab asks too: when it is shown again, it follows the feed from the answered position.
      channel.postMessage(QUESTION);
      if (document.hidden) {
        wasPaused = true;
        return setLive((before) => ({ ...before, isLive: false }));
      }
      abort = new AbortController();
      void lead(abort.signal);
    };
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      abort.abort();
      channel.close();
    };
  }, [apiKey, account]);
  return live;
}

function withNews(before: Live, { isLive, hasMissed = false, changes }: News): Live {
  if (changes.length === 0 && isLive === before.isLive && !hasMissed) return before;
  const latest = new Map(before.latest);
  const kept = hasMissed ? [] : before.changes;
  const last = kept.at(-1)?.sequence ?? 0;
  const added = changes.filter(({ sequence }) => sequence > last);
  for (const change of changes) {
    const { reference } = change.transaction;
    if ((latest.get(reference)?.sequence ?? 0) > change.sequence) continue;
    latest.delete(reference);
    latest.set(reference, change);
  }
  for (const reference of latest.keys()) {
    if (latest.size <= MAX_KNOWN) break;
    latest.delete(reference);
  }
  return {
    isLive,
    changes: [...kept, ...added].slice(-MAX_KNOWN),
    latest,
    missed: before.missed + (hasMissed ? 1 : 0),
  };
}
