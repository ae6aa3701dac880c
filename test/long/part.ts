import type { PartResult } from './long-run-table.ts';

/** When a part ends. Without a limit of its time, its count is finite. */
interface PartLimits {
  /** The first of the seeds, which no earlier run had. */
  first: number;
  /** Infinity if the time decides. */
  count: number;
  /** A time of performance.now(). Infinity if the count decides. */
  endsAtMs: number;
}

export interface Part {
  name: string;
  promise: string;
  /** The part's share of the minutes. */
  share: number;
  /** How much of it makes it complete, over all runs. */
  goal: number;
  run(limits: PartLimits): Promise<PartResult>;
}

/** How many trials without a failure show, with 95 %, that fewer than one in `oneIn` fails. */
export const trialsFor = (oneIn: number): number => 3 * oneIn;

const PROGRESS_MS = 10_000;
export const write = (line: string) => process.stdout.write(`${line}\n`);
export const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 });

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
