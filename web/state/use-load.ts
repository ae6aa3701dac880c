import { useCallback, useEffect, useState } from 'preact/hooks';
import { failureOf } from './api.ts';
import type { Failure } from './failure.ts';
import { endIfRefused } from './signed-in.ts';

export interface Retry {
  /** A time of `performance.now()`, which does not jump if the device's clock is changed. */
  atMs: number;
  isRunning: boolean;
}

interface Failed {
  state: 'failed';
  failure: Failure;
  retry: Retry | undefined;
}

type Outcome<Value> = { state: 'loaded'; value: Value } | Failed;

export type Loaded<Value> = { state: 'loading'; previous: Value | undefined } | Outcome<Value>;

interface Result<Value> {
  query: string;
  subject: string;
  attempt: number;
  failures: number;
  outcome: Outcome<Value>;
}

const PAUSES_MS = [2000, 4000, 8000, 15_000, 30_000];

/** A result of another `subject` is never shown, because its figures would be under a wrong heading. */
export function useLoad<Value>(
  query: string,
  load: (signal: AbortSignal) => Promise<Value>,
  subject = query,
): { loaded: Loaded<Value>; value: Value | undefined; reload: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<Result<Value>>();
  const reload = useCallback(() => setAttempt((number) => number + 1), []);

  useEffect(() => {
    const abort = new AbortController();
    load(abort.signal).then(
      (value) => {
        if (abort.signal.aborted) return;
        setResult({ query, subject, attempt, failures: 0, outcome: { state: 'loaded', value } });
      },
      (error) => {
        if (abort.signal.aborted) return;
        const failure = failureOf(error);
        setResult((before) => afterFailure(failure, { query, subject, attempt }, before));
        endIfRefused(failure);
      },
    );
    return () => abort.abort();
  }, [attempt, query]);

  const loaded = stateOf(result, { query, subject, attempt });
  const retry = loaded.state === 'failed' ? loaded.retry : undefined;
  useRetry(retry?.isRunning ? undefined : retry?.atMs, reload);
  const value =
    loaded.state === 'loaded' ? loaded.value : loaded.state === 'loading' ? loaded.previous : undefined;
  return { loaded, value, reload };
}

function afterFailure<Value>(
  failure: Failure,
  request: Pick<Result<Value>, 'query' | 'subject' | 'attempt'>,
  before: Result<Value> | undefined,
): Result<Value> {
  const earlier = before?.query === request.query ? before : undefined;
  const failures = (earlier?.failures ?? 0) + 1;
  // If the same failure repeats, the shown text does not change, because the user may be reading it.
  const isSame = earlier?.outcome.state === 'failed' && earlier.outcome.failure.title === failure.title;
  const shown = isSame ? (earlier.outcome as Failed).failure : failure;
  return {
    ...request,
    failures,
    outcome: { state: 'failed', failure: shown, retry: retryOf(failure, failures) },
  };
}

function retryOf({ kind, retryAfterMs = 0 }: Failure, failures: number): Retry | undefined {
  if (kind !== 'unreachable' && kind !== 'busy') return undefined;
  const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] as number;
  return {
    atMs: performance.now() + Math.max(pauseMs, retryAfterMs) + Math.random() * pauseMs * 0.25,
    isRunning: false,
  };
}

function stateOf<Value>(
  result: Result<Value> | undefined,
  { query, subject, attempt }: Pick<Result<Value>, 'query' | 'subject' | 'attempt'>,
): Loaded<Value> {
  const outcome = result?.outcome;
  if (result?.query === query) {
    if (result.attempt === attempt) return result.outcome;
    if (outcome?.state === 'failed' && outcome.retry !== undefined)
      return { ...outcome, retry: { ...outcome.retry, isRunning: true } };
  }
  const isSame = outcome?.state === 'loaded' && result?.subject === subject;
  return { state: 'loading', previous: isSame ? outcome.value : undefined };
}

function useRetry(atMs: number | undefined, reload: () => void): void {
  useEffect(() => {
    if (atMs === undefined) return;
    const reloadWhenDue = () => {
      if (performance.now() >= atMs && !document.hidden) reload();
    };
    const timer = setTimeout(reloadWhenDue, atMs - performance.now() + 1);
    document.addEventListener('visibilitychange', reloadWhenDue);
    addEventListener('online', reload);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', reloadWhenDue);
      removeEventListener('online', reload);
    };
  }, [atMs, reload]);
}
