import { useEffect, useRef, useState } from 'preact/hooks';
import { failureOf } from '../state/api.ts';
import { nowMs } from '../state/clock.ts';
import type { Failure } from '../state/failure.ts';
import { endIfRefused } from '../state/signed-in.ts';
import { type DaysFilter, type FoundFindings, loadFindings } from './load-findings.ts';

type Stage =
  | { state: 'reading'; count: number; all: number | null }
  | { state: 'cancelled' }
  | { state: 'failed'; failure: Failure }
  | { state: 'found'; findings: FoundFindings; atMs: number };

interface Reviewing {
  stage: Stage;
  cancel(): void;
  again(): void;
}

const BEGIN: Stage = { state: 'reading', count: 0, all: null };

/** Reads the transactions of some days, again if the days change. Undefined days are not read. */
export function useReview(apiKey: string, filter: DaysFilter | undefined, zone: string): Reviewing {
  const [attempt, setAttempt] = useState(0);
  const query = `${attempt} ${zone} ${JSON.stringify(filter)}`;
  const [shown, setShown] = useState<{ query: string; stage: Stage }>({ query, stage: BEGIN });
  const abort = useRef<AbortController>(undefined);
  useEffect(() => {
    if (filter === undefined) return;
    const own = new AbortController();
    abort.current = own;
    const show = (stage: Stage) => {
      if (!own.signal.aborted) setShown({ query, stage });
    };
    loadFindings(apiKey, filter, zone, own.signal, (count, all) =>
      show({ state: 'reading', count, all }),
    ).then(
      (findings) => show({ state: 'found', findings, atMs: nowMs() }),
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
    // What was found on other days is not shown for a moment either.
    stage: shown.query === query ? shown.stage : BEGIN,
    cancel: () => {
      abort.current?.abort();
      setShown({ query, stage: { state: 'cancelled' } });
    },
    again: () => setAttempt(attempt + 1),
  };
}
