import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { sendSettings } from '../../client/src/client-options.ts';
import { Transactions } from '../../client/src/transactions.ts';
import { failureOf, type Transaction } from '../state/api.ts';
import type { CsvFileProps } from '../state/csv-order.ts';
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
  /** Failed, or cancelled if there is no failure. Nothing is saved. */
  | ({ state: 'stopped'; failure: Failure | undefined } & Progress);

export interface Exporter {
  current: Export;
  start(filter: Filter): void;
  cancel(): void;
  /** Saves the transactions read so far, marked as incomplete. */
  saveIncomplete(): void;
  dismiss(): void;
}

const PROGRESS_INTERVAL_MS = 150;

/** Reads all transactions that match a filter into a file, and reports the progress. */
export function useExport({ apiKey, order, onSaving }: CsvFileProps): Exporter {
  const transactions = useMemo(() => {
    // Retries through short failures and rate limits.
    const settings = sendSettings({ url: location.origin, apiKey, maxRetries: 6 });
    return new Transactions(settings);
  }, [apiKey]);
  const [current, setCurrent] = useState<Export>({ state: 'none' });
  const latest = useRef<AbortController | null>(null);
  const lines = useRef<string[]>([]);

  const start = useCallback(
    async (filter: Filter) => {
      latest.current?.abort();
      const abort = new AbortController();
      latest.current = abort;
      lines.current = [CSV_BEGIN];
      let progress: Progress = { filter, count: 0, oldest: undefined };
      setCurrent({ state: 'running', ...progress });
      const timer = setInterval(() => setCurrent({ state: 'running', ...progress }), PROGRESS_INTERVAL_MS);
      const stop = (failure: Failure | undefined) => setCurrent({ state: 'stopped', failure, ...progress });
      try {
        for await (const transaction of transactions.list(filter, { signal: abort.signal })) {
          if (abort.signal.aborted) break;
          lines.current.push(csvLine(transaction));
          progress = addToProgress(progress, transaction);
        }
      } catch (error) {
        if (latest.current !== abort) return;
        return stop(abort.signal.aborted ? undefined : failureOf(error));
      } finally {
        clearInterval(timer);
      }
      if (latest.current !== abort) return;
      if (abort.signal.aborted) return stop(undefined);
      const name = fileName(filter, true);
      saveFile(name, lines.current);
      lines.current = [];
      setCurrent({ state: 'saved', name, isComplete: true, ...progress });
    },
    [transactions],
  );

  const cancel = useCallback(() => latest.current?.abort(), []);

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

  const isRunning = current.state === 'running';
  useEffect(() => void start(order.filter), [order]);
  useEffect(() => onSaving(isRunning), [isRunning]);
  useWarningBeforeLeaving(isRunning);
  useEffect(() => () => latest.current?.abort(), []);
  return { current, start, cancel, saveIncomplete, dismiss };
}

const addToProgress = ({ filter, count }: Progress, { createdAt }: Transaction): Progress => ({
  filter,
  count: count + 1,
  oldest: createdAt,
});

/** Makes the browser ask before the tab is closed during an export. */
function useWarningBeforeLeaving(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);
}
