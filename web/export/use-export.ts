import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ExportDamagedError } from '../../client/src/errors.ts';
import { Export } from '../../client/src/export.ts';
import { fileItems } from '../../client/src/export-items.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import type { SendSettings } from '../../client/src/send.ts';
import { failureOf } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { exportFilters, type FileOrder } from '../state/file-order.ts';
import { settingsOf } from '../state/settings.ts';
import { endIfRefused } from '../state/signed-in.ts';
import { number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { type FileContent, type FinishedFile, TooManyRows } from './file-content.ts';
import { fileName } from './file-name.ts';
import { FileParts } from './file-parts.ts';
import { RowsFile } from './rows-file.ts';
import { saveFile } from './save-file.ts';
import { MAX_SHEET_ROWS, Spreadsheet } from './spreadsheet.ts';

export interface SavedFileProps {
  apiKey: string;
  account: string;
  order: FileOrder;
  onSaving(isSaving: boolean): void;
}

interface Progress {
  order: FileOrder;
  /** Transactions that have arrived. */
  rows: number;
  /** Null until it is known. */
  expectedRows: number | null;
  /** How often it was cut and started again. */
  restarts: number;
}

export type Saving =
  | { state: 'none' }
  /** `isWaiting` if nothing has arrived for a while. */
  | ({ state: 'running'; isWaiting: boolean } & Progress)
  | ({ state: 'saved'; order: FileOrder; name: string } & Omit<FinishedFile, 'content'>)
  /** Failed, or cancelled if there is no failure. Nothing is saved. */
  | ({ state: 'stopped'; failure: Failure | undefined; next: 'csv' | 'again' } & Progress);

export interface Exporter {
  current: Saving;
  start(order: FileOrder): void;
  cancel(): void;
  dismiss(): void;
}

/** A file that is being loaded. */
interface Job {
  order: FileOrder;
  content: FileContent;
  abort: AbortController;
}

const PROGRESS_INTERVAL_MS = 150;
const WAITING_AFTER_MS = 4000;

/**
 * Loads all transactions that match a filter into a file. The file is saved only when its bytes are verified against the
 * manifest of the service; a download that is cut starts again from the beginning.
 */
export function useExport({ apiKey, account, order, onSaving }: SavedFileProps): Exporter {
  const [current, setCurrent] = useState<Saving>({ state: 'none' });
  const latest = useRef<Job | null>(null);

  const run = useCallback(
    async (job: Job) => {
      latest.current = job;
      const stopReporting = reportProgress(job, setCurrent);
      const { signal } = job.abort;
      let finished: FinishedFile;
      try {
        await job.content.read();
        if (latest.current !== job) return;
        finished = await job.content.end();
        if (latest.current !== job) return;
      } catch (error) {
        if (latest.current !== job) return;
        const stopped = signal.aborted ? CANCELLED : afterFailure(error);
        if (stopped.failure?.kind === 'signed-out') return endIfRefused(stopped.failure);
        return setCurrent({ state: 'stopped', ...stopped, ...progressOf(job) });
      } finally {
        stopReporting();
      }
      latest.current = null;
      const { content, ...rest } = finished;
      const name = fileName(account, job.order);
      saveFile(name, content);
      setCurrent({ state: 'saved', order: job.order, name, ...rest });
    },
    [apiKey, account],
  );

  const start = useCallback(
    (ordered: FileOrder) => {
      latest.current?.abort.abort();
      const abort = new AbortController();
      const settings = settingsOf(apiKey);
      run({ order: ordered, content: openFile(settings, account, ordered, abort.signal), abort });
    },
    [run],
  );
  const cancel = useCallback(() => latest.current?.abort.abort(), []);
  const dismiss = useCallback(() => {
    latest.current = null;
    setCurrent({ state: 'none' });
  }, []);

  const isRunning = current.state === 'running';
  useEffect(() => start(order), [order]);
  useEffect(() => onSaving(isRunning), [isRunning]);
  useWarningBeforeLeaving(isRunning);
  useEffect(() => () => latest.current?.abort.abort(), []);
  return { current, start, cancel, dismiss };
}

const progressOf = ({ order, content }: Job): Progress => ({
  order,
  rows: content.exported.rows,
  expectedRows: content.exported.expectedRows,
  restarts: content.restarts,
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

const CANCELLED = { failure: undefined, next: 'again' } as const;

function afterFailure(error: unknown) {
  if (error instanceof TooManyRows) return { failure: tooManyRows(error), next: 'csv' } as const;
  return { failure: failureOfExport(error), next: 'again' } as const;
}

const tooManyRows = ({ rows }: TooManyRows): Failure => ({
  kind: 'refused',
  title: texts.$tooManyRows,
  detail: texts.$tooManyRowsText(rows === null ? null : number(rows), number(MAX_SHEET_ROWS - 1)),
});

function failureOfExport(error: unknown): Failure {
  if (!(error instanceof ExportDamagedError)) return failureOf(error);
  return {
    kind: 'refused',
    title: texts.$fileDiffers,
    detail: error.message,
    ...(error.requestId !== null && { requestId: error.requestId }),
  };
}

/** Makes the browser ask before the tab is closed during an export. */
function useWarningBeforeLeaving(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);
}

/** What an order saves. The bytes of a CSV file are those of the export. */
function openFile(
  settings: SendSettings,
  account: string,
  order: FileOrder,
  signal: AbortSignal,
): FileContent {
  if (order.format === 'csv') return exportedFile(settings, order, signal);
  return new RowsFile(settings, order, () => new Spreadsheet(account, order), signal);
}

function exportedFile(settings: SendSettings, order: FileOrder, signal: AbortSignal): FileContent {
  const query = { ...exportFilters(order), ...order.extra, format: 'csv', spreadsheet: true } as const;
  const newParts = () => new FileParts('text/csv;charset=utf-8');
  let parts = newParts();
  let restarts = 0;
  const onRestart = () => {
    restarts++;
    parts = newParts();
  };
  const exported = new Export(settings, '/v1', query, { signal, onRestart }, fileItems);
  return {
    exported,
    get restarts() {
      return restarts;
    },
    read: async () => {
      for await (const bytes of exported) parts.add(bytes);
    },
    end: () => {
      const manifest = exported.manifest as ExportManifest;
      const { totals } = manifest;
      return { content: parts.content(), manifest, rows: manifest.rows as number, totals };
    },
  };
}
