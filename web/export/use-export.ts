import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { sendSettings } from '../../client/src/client-options.ts';
import { ExportDamagedError } from '../../client/src/errors.ts';
import { Export, FILE_ITEMS } from '../../client/src/export.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import { failureOf } from '../state/api.ts';
import type { CsvFileProps } from '../state/csv-order.ts';
import type { Failure } from '../state/failure.ts';
import type { Filter } from '../state/route.ts';
import { fileName } from './file-name.ts';
import { FileParts } from './file-parts.ts';
import { saveFile } from './save-file.ts';

interface Progress {
  filter: Filter;
  /** Transactions that have arrived. */
  rows: number;
  /** Null until it is known. */
  expectedRows: number | null;
}

export type Saving =
  | { state: 'none' }
  /** `isWaiting` if nothing has arrived for a while. */
  | ({ state: 'running'; isWaiting: boolean } & Progress)
  | { state: 'saved'; name: string; manifest: ExportManifest }
  /** Failed, or cancelled if there is no failure. Nothing is saved. */
  | ({ state: 'stopped'; failure: Failure | undefined; canContinue: boolean } & Progress);

export interface Exporter {
  current: Saving;
  start(filter: Filter): void;
  /** Goes on where a failed file stopped. */
  resume(): void;
  cancel(): void;
  dismiss(): void;
}

/** A file that is being loaded, and its bytes so far. */
interface Job {
  filter: Filter;
  exported: Export<Uint8Array>;
  parts: FileParts;
  abort: AbortController;
}

const PROGRESS_INTERVAL_MS = 150;
const WAITING_AFTER_MS = 4000;
/** Of attempts that bring nothing, which take at least 40 seconds. */
const MAX_RETRIES = 12;

/**
 * Loads all transactions that match a filter into a file. The file is saved only when its bytes are verified against the
 * manifest of the service; a download that is cut continues where it was cut.
 */
export function useExport({ apiKey, order, onSaving }: CsvFileProps): Exporter {
  const [current, setCurrent] = useState<Saving>({ state: 'none' });
  const latest = useRef<Job | null>(null);

  const run = useCallback(async (job: Job) => {
    latest.current = job;
    const stopReporting = reportProgress(job, setCurrent);
    const stop = (failure: Failure | undefined, canContinue: boolean) =>
      setCurrent({ state: 'stopped', failure, canContinue, ...progressOf(job) });
    try {
      for await (const bytes of job.exported) job.parts.add(bytes);
    } catch (error) {
      if (latest.current !== job) return;
      if (job.abort.signal.aborted) return stop(undefined, false);
      const failure = failureOfExport(error);
      return stop(failure, canContinueAfter(failure) && job.exported.rows > 0);
    } finally {
      stopReporting();
    }
    if (latest.current !== job) return;
    latest.current = null;
    const name = fileName(job.filter);
    saveFile(name, job.parts.content());
    setCurrent({ state: 'saved', name, manifest: job.exported.manifest as ExportManifest });
  }, []);

  const start = useCallback(
    (filter: Filter) => {
      latest.current?.abort.abort();
      const abort = new AbortController();
      const settings = sendSettings({ url: location.origin, apiKey, maxRetries: MAX_RETRIES });
      const query = { ...filter, format: 'csv', spreadsheet: true } as const;
      const exported = new Export(settings, query, { signal: abort.signal }, FILE_ITEMS);
      run({ filter, exported, parts: new FileParts(), abort });
    },
    [apiKey],
  );
  const resume = useCallback(() => {
    if (latest.current !== null) run(latest.current);
  }, []);
  const cancel = useCallback(() => latest.current?.abort.abort(), []);
  const dismiss = useCallback(() => {
    latest.current = null;
    setCurrent({ state: 'none' });
  }, []);

  const isRunning = current.state === 'running';
  useEffect(() => start(order.filter), [order]);
  useEffect(() => onSaving(isRunning), [isRunning]);
  useWarningBeforeLeaving(isRunning);
  useEffect(() => () => latest.current?.abort.abort(), []);
  return { current, start, resume, cancel, dismiss };
}

const progressOf = ({ filter, exported: { rows, expectedRows } }: Job): Progress => ({
  filter,
  rows,
  expectedRows,
});

/** Reports the progress now and again, until the returned function is called. */
function reportProgress(job: Job, report: (saving: Saving) => void): () => void {
  let seen = progressOf(job);
  let changedAtMs = Date.now();
  const tick = () => {
    const now = progressOf(job);
    if (now.rows !== seen.rows) changedAtMs = Date.now();
    seen = now;
    report({ state: 'running', isWaiting: Date.now() - changedAtMs > WAITING_AFTER_MS, ...now });
  };
  tick();
  const timer = setInterval(tick, PROGRESS_INTERVAL_MS);
  return () => clearInterval(timer);
}

function failureOfExport(error: unknown): Failure {
  if (!(error instanceof ExportDamagedError)) return failureOf(error);
  return {
    kind: 'refused',
    title: 'The file differs from what the service exported',
    detail: error.message,
    ...(error.requestId !== null && { requestId: error.requestId }),
  };
}

/** What arrived so far is of no use if it is damaged, or if the service refuses to continue. */
const canContinueAfter = ({ kind }: Failure) =>
  kind === 'unreachable' || kind === 'busy' || kind === 'service';

/** Makes the browser ask before the tab is closed during an export. */
function useWarningBeforeLeaving(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);
}
