import type { PartResult } from './long-run-table.ts';

/** When a part ends; undefined if its size decides. */
export interface PartLimits {
  endsAtMs: number | undefined;
  minutes: number | undefined;
}

export interface Part {
  name: string;
  promise: string;
  /** The part's share of the minutes. */
  share: number;
  run(limits: PartLimits): Promise<PartResult>;
}

const PROGRESS_MS = 10_000;
export const write = (line: string) => process.stdout.write(`${line}\n`);
export const number = (value: number) => Math.round(value).toLocaleString('en');

/** Prints the progress of a part at intervals. */
export function progress(what: string): { onProgress: (done: number) => void; perSecond: () => string } {
  const beganMs = performance.now();
  let printedMs = beganMs;
  let done = 0;
  const perSecond = () => number(done / ((performance.now() - beganMs) / 1000));
  return {
    perSecond,
    onProgress: (count) => {
      done = count;
      if (performance.now() - printedMs < PROGRESS_MS) return;
      printedMs = performance.now();
      write(`${number(done)} ${what}, ${perSecond()} a second`);
    },
  };
}
