import { useEffect, useRef, useState } from 'preact/hooks';
import { ExportDamagedError } from '../../client/src/errors.ts';
import { Export } from '../../client/src/export.ts';
import { fileItems } from '../../client/src/export-items.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import type { SendSettings } from '../../client/src/send.ts';
import { detailOfColumn } from '../../values/detail-name.ts';
import { COLUMN_FIELDS } from '../../values/interface/fields.ts';
import { failureOf } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { exportFilters, type FileOrder, isExport } from '../state/file-order.ts';
import { settingsOf } from '../state/settings.ts';
import { endIfRefused } from '../state/signed-in.ts';
import { number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { type FileContent, type FinishedFile, MAX_SHEET_ROWS, TooManyRows } from './file-content.ts';
import { fileName } from './file-name.ts';
import { FileParts } from './file-parts.ts';
import { madeFile } from './rows-file.ts';
import { saveFile } from './save-file.ts';

export interface SavedFileProps {
  apiKey: string;
  account: string;
  order: FileOrder;
  onSaving(isSaving: boolean): void;
}

interface Progress {
  order: FileOrder;
  rows: number;
  expectedRows: number | null;
  restarts: number;
}

export type Saving =
  | { state: 'none' }
  | ({ state: 'running'; isWaiting: boolean } & Progress)
  | ({ state: 'saved'; order: FileOrder; name: string } & Omit<FinishedFile, 'content'>)
  /** `failure` is undefined if the user cancelled. `next` is the button: save a CSV file, or try again. */
  | ({ state: 'stopped'; failure: Failure | undefined; next: 'csv' | 'again' } & Progress);

export type Exporter = ReturnType<typeof useExport>;

interface Job {
  order: FileOrder;
  content: FileContent | undefined;
  abort: AbortController;
}

const PROGRESS_INTERVAL_MS = 150;
const WAITING_AFTER_MS = 4000;

/** Saves a file only after the export's bytes were verified against the service's manifest. */
export function useExport({ apiKey, account, order, onSaving }: SavedFileProps) {
  const [current, setCurrent] = useState<Saving>({ state: 'none' });
  const latest = useRef<Job | null>(null);

  const run = async (job: Job) => {
    latest.current = job;
    const stopReporting = reportProgress(job, setCurrent);
    const { signal } = job.abort;
    let finished: FinishedFile;
    try {
      const content = openFile(settingsOf(apiKey), account, job.order, signal);
      job.content = content;
      await content.read();
      if (latest.current !== job) return;
      finished = await content.end();
      signal.throwIfAborted();
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
  };

  const start = (ordered: FileOrder) => {
    latest.current?.abort.abort();
    void run({ order: ordered, content: undefined, abort: new AbortController() });
  };
  const cancel = () => latest.current?.abort.abort();
  const dismiss = () => {
    latest.current = null;
    setCurrent({ state: 'none' });
  };

  const isRunning = current.state === 'running';
  useEffect(() => start(order), [order]);
  useEffect(() => onSaving(isRunning), [isRunning]);
  useWarningBeforeLeaving(isRunning);
  useEffect(() => () => latest.current?.abort.abort(), []);
  return { current, start, cancel, dismiss };
}

const progressOf = ({ order, content }: Job): Progress => ({
  order,
  rows: content?.exported.rows ?? 0,
  expectedRows: content?.exported.expectedRows ?? null,
  restarts: content?.restarts ?? 0,
});

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
  detail: texts.$tooManyRowsText(rows === null ? null : number(rows), number(MAX_SHEET_ROWS)),
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

function useWarningBeforeLeaving(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);
}

const openFile = (
  settings: SendSettings,
  account: string,
  order: FileOrder,
  signal: AbortSignal,
): FileContent =>
  isExport(order) ? exportedFile(settings, order, signal) : madeFile(settings, account, order, signal);

function exportedFile(settings: SendSettings, order: FileOrder, signal: AbortSignal): FileContent {
  const { fields = [] } = order.extra ?? {};
  const query = {
    ...exportFilters(order),
    ...Object.fromEntries(COLUMN_FIELDS.map((name) => [name, fields.includes(name)])),
    details: fields.map(detailOfColumn).filter((name) => name !== undefined),
    format: 'csv',
    spreadsheet: true,
  } as const;
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
