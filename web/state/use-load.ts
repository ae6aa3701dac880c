import { useCallback, useEffect, useState } from 'preact/hooks';
import { failureOf } from './api.ts';
import type { Failure } from './failure.ts';

/** When the page asks again by itself. */
export interface Retry {
  atMs: number;
  /** Whether that request is in flight. */
  isRunning: boolean;
}

interface Failed {
  state: 'failed';
  failure: Failure;
  /** Undefined where asking again would not help. */
  retry: Retry | undefined;
}

type Answered<Value> = { state: 'loaded'; value: Value } | Failed;

export type Loaded<Value> =
  /** `previous` is what was shown before, until the new answer is there. */
  { state: 'loading'; previous: Value | undefined } | Answered<Value>;

interface Held<Value> {
  /** The query and the attempt that this answers. */
  query: string;
  attempt: number;
  /** How many attempts of this query have failed in a row. */
  failures: number;
  answer: Answered<Value>;
}

/** Pauses between the attempts of the page, so that a service that comes back is noticed soon, and one that does not is left alone. */
const PAUSES_MS = [2000, 4000, 8000, 15_000, 30_000];

/**
 * Loads what `query` names, again whenever it changes, and gives up an answer that nobody waits for any more. Where
 * the service can not be reached or is busy, it is asked again by itself until it answers.
 */
export function useLoad<Value>(
  query: string,
  load: (signal: AbortSignal) => Promise<Value>,
  onFailure: (failure: Failure) => void,
): { loaded: Loaded<Value>; reload: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [held, setHeld] = useState<Held<Value>>();
  const reload = useCallback(() => setAttempt((number) => number + 1), []);

  useEffect(() => {
    const ending = new AbortController();
    const hold = (next: (before: Held<Value> | undefined) => Held<Value>) => {
      if (!ending.signal.aborted) setHeld(next);
    };
    load(ending.signal).then(
      (value) => hold(() => ({ query, attempt, failures: 0, answer: { state: 'loaded', value } })),
      (error) => {
        if (ending.signal.aborted) return;
        const failure = failureOf(error);
        hold((before) => afterFailure(failure, { query, attempt }, before));
        onFailure(failure);
      },
    );
    return () => ending.abort();
  }, [attempt, query]);

  const loaded = stateOf(held, query, attempt);
  const retry = loaded.state === 'failed' ? loaded.retry : undefined;
  useRetry(retry?.isRunning ? undefined : retry?.atMs, reload);
  return { loaded, reload };
}

function afterFailure<Value>(
  failure: Failure,
  asked: { query: string; attempt: number },
  before: Held<Value> | undefined,
): Held<Value> {
  const earlier = before?.query === asked.query ? before : undefined;
  const failures = (earlier?.failures ?? 0) + 1;
  // The same failure again leaves its words and its request id in their place, where somebody may be reading them.
  const isSame = earlier?.answer.state === 'failed' && earlier.answer.failure.title === failure.title;
  const shown = isSame ? (earlier.answer as Failed).failure : failure;
  return {
    ...asked,
    failures,
    answer: { state: 'failed', failure: shown, retry: retryOf(failure, failures) },
  };
}

function retryOf({ kind, retryAfterMs = 0 }: Failure, failures: number): Retry | undefined {
  if (kind !== 'unreachable' && kind !== 'busy') return undefined;
  const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] as number;
  // Windows that failed together do not come back together.
  return {
    atMs: Date.now() + Math.max(pauseMs, retryAfterMs) + Math.random() * pauseMs * 0.25,
    isRunning: false,
  };
}

/** An answer to another query is old from the first moment; a failure is shown until its retry is answered. */
function stateOf<Value>(held: Held<Value> | undefined, query: string, attempt: number): Loaded<Value> {
  const answer = held?.answer;
  if (held?.query === query) {
    if (held.attempt === attempt) return held.answer;
    if (answer?.state === 'failed' && answer.retry !== undefined)
      return { ...answer, retry: { ...answer.retry, isRunning: true } };
  }
  return { state: 'loading', previous: answer?.state === 'loaded' ? answer.value : undefined };
}

/** Reloads at a time, or once the device is back on its network. A tab that nobody sees waits until it is looked at. */
function useRetry(atMs: number | undefined, reload: () => void): void {
  useEffect(() => {
    if (atMs === undefined) return;
    const reloadWhenDue = () => {
      if (Date.now() >= atMs && !document.hidden) reload();
    };
    const timer = setTimeout(reloadWhenDue, atMs - Date.now() + 1);
    document.addEventListener('visibilitychange', reloadWhenDue);
    addEventListener('online', reload);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', reloadWhenDue);
      removeEventListener('online', reload);
    };
  }, [atMs, reload]);
}
