import { useEffect, useRef, useState } from 'preact/hooks';
import { CursorExpiredError, RateLimitedError } from '../../client/src/errors.ts';
import type { SearchQuery } from '../../client/src/search.ts';
import { failureOf, type Transaction } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { endIfRefused } from '../state/signed-in.ts';
import { useApi } from '../state/use-api.ts';

const ENOUGH = 100;
const MIN_WAIT_MS = 1000;

export interface SearchProgress {
  /** `waiting`: the search waits for the rate limit. `full`: many matches were found, perhaps not all. */
  state: 'searching' | 'waiting' | 'stopped' | 'full' | 'failed' | 'done';
  /** Newest first. */
  found: readonly Transaction[];
  /** Every transaction that was created at this time or later has been compared. */
  searchedBackTo: string | null;
  failure: Failure | undefined;
}

const BEGIN: SearchProgress = { state: 'searching', found: [], searchedBackTo: null, failure: undefined };

/** `query` must not change. */
export function useSearch(
  query: SearchQuery,
  isMatch: (transaction: Transaction) => boolean,
): { progress: SearchProgress; stop(): void; goOn(): void } {
  const api = useApi();
  const [progress, setProgress] = useState(BEGIN);
  const [run, setRun] = useState(0);
  const place = useRef<{ progress: SearchProgress; next: SearchQuery & { cursor?: string } }>({
    progress: BEGIN,
    next: query,
  });
  const abort = useRef(new AbortController());
  const show = (change: Partial<SearchProgress>) => {
    place.current.progress = { ...place.current.progress, ...change };
    setProgress(place.current.progress);
  };

  const goesOnAfter = async (error: unknown, signal: AbortSignal): Promise<boolean> => {
    if (error instanceof CursorExpiredError && error.cursor !== null) {
      place.current.next = { cursor: error.cursor };
      return true;
    }
    if (error instanceof RateLimitedError) {
      show({ state: 'waiting' });
      await pause(Math.max(MIN_WAIT_MS, error.retryAfterMs ?? 0), signal);
      return !signal.aborted;
    }
    const failure = failureOf(error);
    show({ state: 'failed', failure });
    endIfRefused(failure);
    return false;
  };

  const search = async (signal: AbortSignal): Promise<void> => {
    const isContinued = place.current.progress.found.length >= ENOUGH;
    for (;;) {
      show({ state: 'searching', failure: undefined });
      try {
        const page = await api.search(place.current.next, signal);
        if (signal.aborted) return;
        const found = [...place.current.progress.found, ...page.data.filter(isMatch)];
        show({ found, searchedBackTo: page.searchedBackTo });
        if (page.nextCursor === null) return show({ state: 'done' });
        place.current.next = { cursor: page.nextCursor };
        if (found.length >= ENOUGH && !isContinued) return show({ state: 'full' });
      } catch (error) {
        if (signal.aborted || !(await goesOnAfter(error, signal))) return;
      }
    }
  };

  useEffect(() => {
    abort.current = new AbortController();
    void search(abort.current.signal);
    return () => abort.current.abort();
  }, [run]);

  return {
    progress,
    stop: () => {
      abort.current.abort();
      show({ state: 'stopped' });
    },
    goOn: () => setRun((number) => number + 1),
  };
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
