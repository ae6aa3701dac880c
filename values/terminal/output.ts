import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { CommandFailed } from '../failure.ts';
import { visible } from '../visible.ts';
import { explainFileError } from './file-error.ts';

/* Commands print only with the functions of this file. Most escape control characters and line ends. */

/** Results go to standard output. All other output goes to standard error. */
export function printResult(...lines: readonly string[]): void {
  writeResult(lines.map((line) => `${visible(line)}\n`).join(''));
}

export async function printManyResults(...lines: readonly string[]): Promise<void> {
  if (hasFailed) throw new CommandFailed();
  printResult(...lines);
  if (!process.stdout.writableNeedDrain) return;
  await once(process.stdout, 'drain').catch(() => {
    throw new CommandFailed();
  });
}

let hasFailed = false;

/** Prints the program's own text, such as its help, without escaping it. */
export function writeResult(text: string): void {
  process.stdout.write(text, (error) => {
    if (error == null || hasFailed) return;
    hasFailed = true;
    process.exitCode = 1;
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    printNote(`The output can't be written: ${explainFileError(error)}`);
  });
}

/** Keys and codes in notes are masked. Only the command that makes a key shows it, once, as its result. */
const API_KEY = /(t[ks]_(?:live|operator|code)_)[0-9A-Za-z]{8,}/g;

export function printNote(...lines: readonly string[]): void {
  process.stderr.write(noteOf(lines));
}

export async function printManyNotes(...lines: readonly string[]): Promise<void> {
  process.stderr.write(noteOf(lines));
  if (process.stderr.writableNeedDrain) await once(process.stderr, 'drain').catch(() => {});
}

function noteOf(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line).replace(API_KEY, '$1...')}\n`).join('');
}

/** With `exact`, text is escaped only on a terminal. Returns false if nobody reads the output any more. */
export async function printLines(
  parts: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  { exact = false } = {},
): Promise<boolean> {
  const show = exact && !process.stdout.isTTY ? (line: string) => line : visible;
  const shown = async function* () {
    for await (const lines of parts) yield lines.map((line) => `${show(line)}\n`).join('');
  };
  try {
    await pipeline(shown(), process.stdout, { end: false });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false;
    throw error;
  }
}

/** Waits for a slow reader. The lines are escaped only on a terminal. */
export async function printFile(parts: AsyncIterable<Uint8Array>, lineEnd: string): Promise<void> {
  const shown = async function* () {
    for await (const bytes of parts) yield process.stdout.isTTY ? visibleFile(bytes, lineEnd) : bytes;
  };
  await pipeline(shown(), process.stdout, { end: false });
}

const visibleFile = (bytes: Uint8Array, lineEnd: string) =>
  Buffer.from(bytes).toString().split(lineEnd).map(visible).join('\n');

/**
 * Without a listener, a closed output would end the process with a stack trace. The listener does nothing,
 * because functions such as `writeResult` get the error from the failed write itself.
 */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

const PROGRESS_INTERVAL_MS = 200;
const PROGRESS_INTERVAL_MS_WITHOUT_TERMINAL = 5000;

export type Progress = ReturnType<typeof progress>;

export const listProgress = (): Progress =>
  process.stderr.isTTY && !process.stdout.isTTY ? progress() : { ...progress(), show: () => {} };

/** A line of progress ends with ` ...`, so it differs from results and errors. */
export function progress(
  output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> = process.stderr,
  monotonicMs = () => performance.now(),
) {
  const { isTTY } = output;
  let shownAtMs = monotonicMs();
  let shown = false;
  const clear = () => {
    if (shown && isTTY) output.write('\r\u001b[K');
    shown = false;
  };
  return {
    clear,
    note(line: string): void {
      clear();
      printNote(line);
    },
    show(text: string): void {
      const nowMs = monotonicMs();
      if (nowMs - shownAtMs < (isTTY ? PROGRESS_INTERVAL_MS : PROGRESS_INTERVAL_MS_WITHOUT_TERMINAL)) return;
      shownAtMs = nowMs;
      shown = true;
      output.write(isTTY ? `\r\u001b[K${visible(text)} ...` : `${visible(text)} ...\n`);
    },
  };
}
