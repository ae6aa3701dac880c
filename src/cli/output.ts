import { once } from 'node:events';

/** Results go to standard output, everything else to standard error. */
export function printResult(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The same, waiting while the reader is behind, so that a long report does not gather in memory. */
export async function printManyNotes(text: string): Promise<void> {
  if (!process.stderr.write(`${text}\n`)) await once(process.stderr, 'drain');
}

/** Columns of text, as wide as their widest entry. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [header, ...rows].map(line).join('\n');
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
      process.stderr.write(isTTY ? `\r\u001b[K${text}` : `${text}\n`);
    },
    clear() {
      if (shown && isTTY) process.stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}
