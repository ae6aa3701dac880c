import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { Running } from '../parts/running.tsx';
import { announce } from '../state/announce.ts';
import { failureOf } from '../state/api.ts';
import { nowMs } from '../state/clock.ts';
import type { Failure } from '../state/failure.ts';
import type { OnProgress } from '../state/read-export.ts';
import { endIfRefused } from '../state/signed-in.ts';
import { useRoute } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { timeParts } from '../text/time.ts';
import { texts } from './texts.ts';

interface ReadProps<Found> {
  reading: Reading<Found>;
  readText(found: Found, minute: string): string;
  children(found: Found): ComponentChildren;
}

export function Read<Found>({ reading: { stage, cancel, again }, readText, children }: ReadProps<Found>) {
  const { zone } = useRoute();
  const isFound = stage.state === 'found';
  const text = isFound && readText(stage.found, timeParts(stage.atMs, zone).minute);
  useEffect(() => {
    if (text) announce(text);
  }, [text]);
  if (stage.state === 'failed') return <FailurePanel failure={stage.failure} onRetry={again} />;
  if (stage.state === 'reading')
    return (
      <Running
        label={texts.$running}
        text={
          stage.all === null
            ? texts.$reading(number(stage.count))
            : texts.$readingOf(number(stage.count), number(stage.all))
        }
        value={stage.count}
        max={stage.all ?? undefined}
        onCancel={cancel}
      />
    );
  return (
    <>
      <p class="read-note">
        {text || texts.$cancelled} <Button onClick={again}>{texts.$again}</Button>
      </p>
      {isFound && children(stage.found)}
    </>
  );
}

type Stage<Found> =
  | { state: 'reading'; count: number; all: number | null }
  | { state: 'cancelled' }
  | { state: 'failed'; failure: Failure }
  | { state: 'found'; found: Found; atMs: number };

type Reading<Found> = ReturnType<typeof useReading<Found>>;

const BEGIN = { state: 'reading', count: 0, all: null } as const;

export function useReading<Found>(
  asked: string,
  read: ((signal: AbortSignal, onProgress: OnProgress) => Promise<Found>) | undefined,
) {
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
