import { useCallback, useEffect, useState } from 'preact/hooks';
import { failureOf } from './api.ts';
import type { Failure } from './failure.ts';

type Answered<Value> = { state: 'loaded'; value: Value } | { state: 'failed'; failure: Failure };

export type Loaded<Value> =
  /** `previous` is what was shown before, until the new answer is there. */
  { state: 'loading'; previous: Value | undefined } | Answered<Value>;

/**
 * Asks for what `question` names, anew whenever it changes, and gives up an answer that nobody waits for any more.
 * What could not be reached is asked for again when the device is back on its network.
 */
export function useLoad<Value>(
  question: string,
  load: (signal: AbortSignal) => Promise<Value>,
  onFailure: (failure: Failure) => void,
): { loaded: Loaded<Value>; reload: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [held, setHeld] = useState<{ asked: string; answer: Answered<Value> }>();
  const reload = useCallback(() => setAttempt((number) => number + 1), []);
  // What is held answers only what was asked: from the first moment of a new question, it is old.
  const asked = `${attempt} ${question}`;

  useEffect(() => {
    const ending = new AbortController();
    const hold = (answer: Answered<Value>) => {
      if (!ending.signal.aborted) setHeld({ asked, answer });
    };
    load(ending.signal).then(
      (value) => hold({ state: 'loaded', value }),
      (error) => {
        if (ending.signal.aborted) return;
        const failure = failureOf(error);
        hold({ state: 'failed', failure });
        onFailure(failure);
      },
    );
    return () => ending.abort();
  }, [asked]);

  const loaded: Loaded<Value> =
    held?.asked === asked ? held.answer : { state: 'loading', previous: loadedValue(held?.answer) };
  const isUnreachable = loaded.state === 'failed' && loaded.failure.kind === 'unreachable';
  useEffect(() => {
    if (!isUnreachable) return;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [isUnreachable, reload]);

  return { loaded, reload };
}

const loadedValue = <Value>(answer: Answered<Value> | undefined) =>
  answer?.state === 'loaded' ? answer.value : undefined;
