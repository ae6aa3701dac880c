import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Transaction } from '../../client/src/transaction.ts';
import { isMonthFirst } from '../../values/calendar.ts';
import { failureOf } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { isByPayment } from '../state/route.ts';
import { endIfRefused } from '../state/signed-in.ts';
import { counted, number } from '../text/count.ts';
import { type Compared, compare, type Faulty, fieldsOf } from './compare.ts';
import { type ChosenFile, openFile, WrongFile } from './file-text.ts';
import { type FileReading, type Guess, guessColumns, type Role } from './guess-columns.ts';
import { type Days, type LoadedTransactions, loadTransactions } from './load-transactions.ts';
import { texts } from './texts.ts';

type Stage =
  | { state: 'choose'; problem?: string }
  | { state: 'loading'; text: string; value?: number; max?: number | undefined }
  | { state: 'failed'; failure: Failure }
  | { state: 'columns'; faulty?: Faulty }
  | { state: 'result'; compared: Compared; faulty: Faulty };

export interface Reconcile {
  stage: Stage;
  file: ChosenFile | undefined;
  guess: Guess | undefined;
  reading: FileReading | undefined;
  currencies: readonly string[];
  details: readonly Role[];
  isPaidOnly: boolean;
  toleranceDays: number;
  choose(file: File): void;
  change(reading: FileReading): void;
  setPaidOnly(isPaidOnly: boolean): void;
  setTolerance(days: number): void;
  compare(leavesOut: boolean): void;
  retry(): void;
  back(): void;
  cancel(): void;
}

const BANK_DAYS = 3;

interface Loaded extends LoadedTransactions {
  query: string;
}

export function useReconcile(apiKey: string, { filter, zone }: Omit<Days, 'toleranceDays'>): Reconcile {
  const [stage, setStage] = useState<Stage>({ state: 'choose' });
  const [file, setFile] = useState<ChosenFile>();
  const [guess, setGuess] = useState<Guess>();
  const [reading, setReading] = useState<FileReading>();
  const [paidOnly, setPaidOnly] = useState<boolean>();
  const opened = useRef<ChosenFile>(undefined);
  const isPaidOnly = paidOnly ?? !reading?.roles.includes('status');
  const tolerance = useTolerance(isByPayment(filter), reading?.roles);
  const days = { filter, zone, toleranceDays: tolerance.toleranceDays };

  const { run, stop } = useWork(setStage);
  const { load, loaded } = useTransactions(apiKey, days, setStage);

  const prepare = (opening: ChosenFile | Promise<ChosenFile>, isNew = false) => {
    opened.current = undefined;
    if (isNew) setFile(undefined);
    run(async (signal) => {
      const chosen = await opening;
      signal.throwIfAborted();
      opened.current = chosen;
      const { transactions } = await load(signal, isNew);
      const read = await guessColumns(chosen, transactions, isMonthFirst());
      signal.throwIfAborted();
      opened.current = undefined;
      setFile(chosen);
      setGuess(read);
      setReading(read);
      return { state: 'columns' };
    });
  };

  // If the days change, the transactions change, so the columns are guessed again.
  const guessedFor = JSON.stringify([filter, zone]);
  const guessed = useRef(guessedFor);
  useEffect(() => {
    if (guessed.current === guessedFor) return;
    guessed.current = guessedFor;
    const chosen = opened.current ?? file;
    if (chosen !== undefined) prepare(chosen);
  }, [guessedFor]);

  const compareAll = (leavesOut: boolean) => {
    if (file === undefined || reading === undefined || !('key' in fieldsOf(reading))) return;
    opened.current = undefined;
    run(async (signal) => {
      const order = { file, reading, days, isPaidOnly, leavesOut, ...(await load(signal)) };
      const { compared, ...faulty } = await compare(order, signal, (lines) =>
        setStage({ state: 'loading', text: texts.$readingFile(counted(lines, texts.$line)) }),
      );
      return compared ? { state: 'result', compared, faulty } : { state: 'columns', faulty };
    });
  };

  return {
    stage,
    file,
    guess,
    reading,
    currencies: [...new Set(loaded.map(({ currencyCode }) => currencyCode))].sort(),
    details: detailRoles(loaded),
    isPaidOnly,
    ...tolerance,
    choose: (chosen) => prepare(openFile(chosen), true),
    change: (changed) => {
      setReading(changed);
      setStage({ state: 'columns' });
    },
    setPaidOnly,
    compare: compareAll,
    retry: () => (opened.current === undefined ? compareAll(false) : prepare(opened.current)),
    back: () => setStage({ state: 'columns' }),
    cancel: () => {
      stop();
      opened.current = undefined;
      setStage(file === undefined ? { state: 'choose', problem: texts.$cancelled } : { state: 'columns' });
    },
  };
}

function useTolerance(isByPayment: boolean, roles: readonly Role[] = []) {
  const [chosen, setTolerance] = useState<number>();
  const isOfBank = isByPayment || (roles.includes('paidAt') && !roles.includes('createdAt'));
  return { toleranceDays: chosen ?? (isOfBank ? BANK_DAYS : 0), setTolerance };
}

const detailRoles = (all: readonly Transaction[]) =>
  [...new Set(all.flatMap(({ details = {} }) => Object.keys(details)))]
    .sort()
    .map((name) => `details.${name}` as const);

function useTransactions(apiKey: string, days: Days, setStage: (stage: Stage) => void) {
  const loaded = useRef<Loaded>(undefined);
  // The tolerance changes which transactions are loaded only if the filter is by payment.
  const query = JSON.stringify(isByPayment(days.filter) ? days : { ...days, toleranceDays: 0 });
  const load = async (signal: AbortSignal, isNew = false): Promise<LoadedTransactions> => {
    if (loaded.current?.query === query && !isNew) return loaded.current;
    const report = (count: number, all: number | null) =>
      setStage({ state: 'loading', text: readingText(count, all), value: count, max: all ?? undefined });
    report(0, null);
    const found = await loadTransactions(apiKey, days, signal, report);
    loaded.current = { query, ...found };
    return found;
  };
  return { load, loaded: loaded.current?.transactions ?? [] };
}

function useWork(setStage: (stage: Stage) => void) {
  const abort = useRef<AbortController>(undefined);
  const stop = useCallback(() => {
    abort.current?.abort();
    abort.current = undefined;
  }, []);
  const run = useCallback(async (work: (signal: AbortSignal) => Promise<Stage>) => {
    stop();
    const own = new AbortController();
    abort.current = own;
    let next: Stage;
    try {
      next = await work(own.signal);
    } catch (error) {
      next = stageAfter(error);
    }
    if (own === abort.current) setStage(next);
  }, []);
  useEffect(() => stop, []);
  return { run, stop };
}

const readingText = (count: number, all: number | null): string =>
  all === null ? texts.$reading(number(count)) : texts.$readingOf(number(count), number(all));

function stageAfter(error: unknown): Stage {
  if (error instanceof WrongFile) return { state: 'choose', problem: texts.$wrong[error.kind] };
  if (error instanceof DOMException) return { state: 'choose', problem: texts.$gone };
  const failure = failureOf(error);
  if (failure.kind === 'signed-out') endIfRefused(failure);
  return { state: 'failed', failure };
}
