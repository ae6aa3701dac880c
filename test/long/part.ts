/** When a part ends, and its first seed. */
interface PartLimits {
  first: number;
  /** A time of performance.now(). */
  endsAtMs: number;
}

export interface Part {
  name: string;
  promise: string;
  /** Its weight in dividing the time of a run among the parts. */
  share: number;
  /** Returns what was checked, such as "500 histories". Throws if the part's promise is broken. */
  run(limits: PartLimits): Promise<string>;
}

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
