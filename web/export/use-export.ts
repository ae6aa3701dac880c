import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Api, failureOf, type Transaction } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import type { Filter } from '../state/route.ts';
import { CSV_BEGIN, csvLine, incompleteLine } from './csv.ts';
import { fileName } from './file-name.ts';
import { saveFile } from './save-file.ts';

interface Progress {
  filter: Filter;
  count: number;
  /** createdAt of the oldest transaction so far. */
  oldest: string | undefined;
}

export type Export =
  | { state: 'none' }
  | ({ state: 'running' } & Progress)
  | ({ state: 'saved'; name: string; isComplete: boolean } & Progress)
  /** Cancelled, or failed where it has a failure. Nothing is saved yet. */
  | ({ state: 'stopped'; failure: Failure | undefined } & Progress);

export interface Exporter {
  current: Export;
  start(filter: Filter): void;
  cancel(): void;
  /** Saves what was read until it stopped, marked as incomplete. */
  saveIncomplete(): void;
  dismiss(): void;
}

const PROGRESS_INTERVAL_MS = 150;

/** Reads all transactions of a filter into a file, and tells how far it has come. */
export function useExport(api: Api): Exporter {
  const [current, setCurrent] = useState<Export>({ state: 'none' });
  const ending = useRef<AbortController | null>(null);
  const lines = useRef<string[]>([]);

  const start = useCallback(
    async (filter: Filter) => {
      ending.current?.abort();
      const own = new AbortController();
      ending.current = own;
      lines.current = [CSV_BEGIN];
      let progress: Progress = { filter, count: 0, oldest: undefined };
      setCurrent({ state: 'running', ...progress });
      const showing = setInterval(() => setCurrent({ state: 'running', ...progress }), PROGRESS_INTERVAL_MS);
      const stop = (failure: Failure | undefined) => setCurrent({ state: 'stopped', failure, ...progress });
      try {
        for await (const transaction of api.patient.list(filter, { signal: own.signal })) {
          if (own.signal.aborted) break;
          lines.current.push(csvLine(transaction));
          progress = counted(progress, transaction);
        }
      } catch (error) {
        if (ending.current !== own) return;
        return stop(own.signal.aborted ? undefined : failureOf(error));
      } finally {
        clearInterval(showing);
      }
      if (ending.current !== own) return;
      if (own.signal.aborted) return stop(undefined);
      const name = fileName(filter, true);
      saveFile(name, lines.current);
      lines.current = [];
      setCurrent({ state: 'saved', name, isComplete: true, ...progress });
    },
    [api],
  );

  const cancel = useCallback(() => ending.current?.abort(), []);

  const saveIncomplete = useCallback(() => {
    if (current.state !== 'stopped') return;
    const { filter, count, oldest } = current;
    const name = fileName(filter, false);
    saveFile(name, [...lines.current, incompleteLine(count, oldest)]);
    lines.current = [];
    setCurrent({ state: 'saved', name, isComplete: false, filter, count, oldest });
  }, [current]);

  const dismiss = useCallback(() => {
    lines.current = [];
    setCurrent({ state: 'none' });
  }, []);

  useWarningBeforeLeaving(current.state === 'running');
  useEffect(() => () => ending.current?.abort(), []);
  return { current, start, cancel, saveIncomplete, dismiss };
}

const counted = ({ filter, count }: Progress, { createdAt }: Transaction): Progress => ({
  filter,
  count: count + 1,
  oldest: createdAt,
});

/** Asks before the tab is closed upon a file that is not saved yet. */
function useWarningBeforeLeaving(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);
}
