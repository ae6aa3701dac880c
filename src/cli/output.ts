import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { visible } from './visible.ts';

/*
 * Everything that a command prints goes through here, and reaches a terminal without anything that it would obey.
 * Each argument is one line: a line end inside it, of a file's name for instance, is shown as its number.
 */

/** Prints results, which go to standard output; everything else goes to standard error. */
export function printResult(...lines: readonly string[]): void {
  writeResult(lines.map((line) => `${visible(line)}\n`).join(''));
}

/** Prints text that the program holds itself, such as its help. */
export function writeResult(text: string): void {
  process.stdout.write(text, (error) => {
    if (error == null) return;
    process.exitCode = 1;
    printNote(`The output can't be written: ${error.message}.`);
  });
}

/** Whatever was printed with a key in it, by mistake: a key is shown once, where it is made. */
const KEY = /(tk_(?:live|operator)_)[0-9A-Za-z]{8,}/g;

export function printNote(...lines: readonly string[]): void {
  process.stderr.write(noteOf(lines));
}

/** The same, waiting while the reader is behind, so that a long report does not gather in memory. */
export async function printManyNotes(...lines: readonly string[]): Promise<void> {
  process.stderr.write(noteOf(lines));
  if (process.stderr.writableNeedDrain) await once(process.stderr, 'drain');
}

function noteOf(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line).replace(KEY, '$1...')}\n`).join('');
}

/**
 * Prints results that come in parts, each some lines, at the pace of their reader. `exact` keeps every character, for
 * a file that another program reads; a terminal never gets it so.
 */
export async function printLines(
  parts: AsyncIterable<readonly string[]>,
  { exact }: { exact: boolean },
): Promise<void> {
  const show = exact && !process.stdout.isTTY ? (line: string) => line : visible;
  const shown = async function* () {
    for await (const lines of parts) yield lines.map((line) => `${show(line)}\n`).join('');
  };
  // The end of the results is not the end of standard output, which is the process's own.
  await pipeline(shown(), process.stdout, { end: false });
}

/** A reader that went away must not end the process with a stack: what is written later reports it. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Lines of columns, as wide as their widest entry. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const shown = [header, ...rows].map((row) => row.map(visible));
  const widths = header.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  return shown.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const PROGRESS_INTERVAL_MS = 200;
const PROGRESS_INTERVAL_MS_WITHOUT_TERMINAL = 5000;

/** Shows how far a long work has come: one line that is rewritten on a terminal, a line now and then elsewhere. */
export function progress(): { show(text: string): void; clear(): void } {
  const { isTTY } = process.stderr;
  let shownAtMs = performance.now();
  let shown = false;
  return {
    show(text) {
      const nowMs = performance.now();
      if (nowMs - shownAtMs < (isTTY ? PROGRESS_INTERVAL_MS : PROGRESS_INTERVAL_MS_WITHOUT_TERMINAL)) return;
      shownAtMs = nowMs;
      shown = true;
      process.stderr.write(isTTY ? `\r\u001b[K${visible(text)}` : `${visible(text)}\n`);
    },
    clear() {
      if (shown && isTTY) process.stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}
