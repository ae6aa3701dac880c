/** When a part ends, and its first seed, which no earlier run used. */
interface PartLimits {
  first: number;
  /** A time of performance.now(). */
  endsAtMs: number;
}

/** The result of a part's run. A run throws if the part's promise is broken. */
export interface PartResult {
  /** How many units were counted. Each seed counts as one. */
  count: number;
  /** Figures that cannot be added to those of other runs. */
  figures?: string;
}

export interface Part {
  name: string;
  promise: string;
  /** The unit that is counted, and how many units are enough over all runs. */
  counted: string;
  goal: number;
  share: number;
  run(limits: PartLimits): Promise<PartResult>;
}

/** How many trials without a failure show, with 95 % confidence, that fewer than one in `oneIn` fails. */
export const trialsFor = (oneIn: number): number => 3 * oneIn;

const PROGRESS_MS = 10_000;
export const write = (line: string) => process.stdout.write(`${line}\n`);
export const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 });

export function progress(what: string): (done: number) => void {
  let printedMs = performance.now();
  return (done) => {
    if (performance.now() - printedMs < PROGRESS_MS) return;
    printedMs = performance.now();
    write(`${number(done)} ${what}`);
  };
}
