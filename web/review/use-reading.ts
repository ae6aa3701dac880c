import { useEffect, useRef, useState } from 'preact/hooks';
import { failureOf } from '../state/api.ts';
import { nowMs } from '../state/clock.ts';
import type { Failure } from '../state/failure.ts';
import type { OnProgress } from '../state/read-export.ts';
import { endIfRefused } from '../state/signed-in.ts';

type Stage<Found> =
  | { state: 'reading'; count: number; all: number | null }
  | { state: 'cancelled' }
  | { state: 'failed'; failure: Failure }
  | { state: 'found'; found: Found; atMs: number };

export interface Reading<Found> {
  stage: Stage<Found>;
  cancel(): void;
  again(): void;
}

type Read<Found> = (signal: AbortSignal, onProgress: OnProgress) => Promise<Found>;

const BEGIN = { state: 'reading', count: 0, all: null } as const;

export function useReading<Found>(asked: string, read: Read<Found> | undefined): Reading<Found> {
  const [attempt, setAttempt] = useState(0);
  const query = `${attempt} ${asked}`;
  const [shown, setShown] = useState<{ query: string; stage: Stage<Found> }>({ query, stage: BEGIN });
  const abort = useRef<AbortController>(undefined);
  useEffect(() => {
    if (read === undefined) return;
    const own = new AbortController();
    abort.current = own;
    const show = (stage: Stage<Found>) => {
      if (!own.signal.aborted) setShown({ query, stage });
    };
    read(own.signal, (count, all) => show({ state: 'reading', count, all })).then(
      (found) => show({ state: 'found', found, atMs: nowMs() }),
      (error) => {
        if (own.signal.aborted) return;
        const failure = failureOf(error);
        show({ state: 'failed', failure });
        endIfRefused(failure);
      },
    );
    return () => own.abort();
  }, [query]);
  return {
    stage: shown.query === query ? shown.stage : BEGIN,
    cancel: () => {
      abort.current?.abort();
      setShown({ query, stage: { state: 'cancelled' } });
    },
    again: () => setAttempt(attempt + 1),
  };
}
