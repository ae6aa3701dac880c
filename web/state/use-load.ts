import { useCallback, useEffect, useState } from 'preact/hooks';
import { failureOf } from './api.ts';
import type { Failure } from './failure.ts';

export type Loaded<Value> =
  /** `previous` is what was shown before, until the new answer is there. */
  | { state: 'loading'; previous?: Value | undefined }
  | { state: 'loaded'; value: Value }
  | { state: 'failed'; failure: Failure };

/**
 * Asks for what `question` names, anew whenever it changes, and gives up an answer that nobody waits for any more.
 * What could not be reached is asked for again when the device is back on its network.
 */
export function useLoad<Value>(
  question: string,
  load: (signal: AbortSignal) => Promise<Value>,
  onFailure: (failure: Failure) => void,
): { loaded: Loaded<Value>; reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const reload = useCallback(() => setAttempt((number) => number + 1), []);

  useEffect(() => {
    const ending = new AbortController();
    setLoaded((before) => ({
      state: 'loading',
      previous: before.state === 'loaded' ? before.value : undefined,
    }));
    load(ending.signal).then(
      (value) => {
        if (!ending.signal.aborted) setLoaded({ state: 'loaded', value });
      },
      (error) => {
        if (ending.signal.aborted) return;
        const failure = failureOf(error);
        setLoaded({ state: 'failed', failure });
        onFailure(failure);
      },
    );
    return () => ending.abort();
  }, [question, attempt]);

  const isUnreachable = loaded.state === 'failed' && loaded.failure.kind === 'unreachable';
  useEffect(() => {
    if (!isUnreachable) return;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [isUnreachable, reload]);

  return { loaded, reload };
}
