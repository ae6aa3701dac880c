import { counted } from '../counted.ts';
import type { FaultyLine } from '../faulty-line.ts';
import { type Progress, printManyNotes } from './output.ts';

/** For each cause. Further lines are counted and printed as line ranges. */
const LINES_IN_FULL = 10;
/** After this many causes, the lines of other causes are printed in full. */
const MAX_CAUSES = 100;
/** For each cause. When there are more ranges, all of them are printed and forgotten. */
const MAX_RANGES = 1000;

/**
 * Prints the first faulty lines of each cause in full, and the numbers of the other lines at the end. So
 * similar lines fill neither the terminal nor the memory, and every faulty line is named.
 */
export class FaultyLineReport {
  readonly #shown: Progress;
  readonly #causes = new Map<string, Cause>();

  constructor(shown: Progress) {
    this.#shown = shown;
  }

  async add({ line, place, cause, detail }: FaultyLine): Promise<void> {
    const where = `line ${line}${place === null ? '' : `, ${place}`}`;
    const alike = this.#causeOf(`${place} ${cause}`, `like ${where}`);
    const printed = alike === undefined ? 'in full' : alike.add(line);
    if (printed === undefined) return;
    this.#shown.clear();
    await printManyNotes(printed === 'in full' ? `${where}: ${detail}` : printed);
  }

  async end(): Promise<void> {
    const rests = [...this.#causes.values()].flatMap((cause) => cause.takeRest() ?? []);
    if (rests.length === 0) return;
    this.#shown.clear();
    await printManyNotes(...rests);
  }

  #causeOf(key: string, likeness: string): Cause | undefined {
    let cause = this.#causes.get(key);
    if (cause === undefined && this.#causes.size < MAX_CAUSES) {
      cause = new Cause(likeness);
      this.#causes.set(key, cause);
    }
    return cause;
  }
}

interface Range {
  first: number;
  last: number;
}

class Cause {
  readonly #likeness: string;
  /** In order, with gaps between the ranges. */
  #ranges: Range[] = [];
  #printed = 0;
  #rest = 0;

  constructor(likeness: string) {
    this.#likeness = likeness;
  }

  /** Returns 'in full' if the line must be printed, a text that names earlier lines, or undefined. */
  add(line: number): 'in full' | string | undefined {
    if (this.#printed < LINES_IN_FULL) {
      this.#printed++;
      return 'in full';
    }
    this.#addToRanges(line);
    return this.#ranges.length > MAX_RANGES ? this.takeRest() : undefined;
  }

  /** Names the lines that were not printed in full, and forgets them. */
  takeRest(): string | undefined {
    if (this.#rest === 0) return undefined;
    const numbers = this.#ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
    const text = `${counted(this.#rest, 'more line')} ${this.#likeness}: ${numbers.join(', ')}`;
    this.#ranges = [];
    this.#rest = 0;
    return text;
  }

  #addToRanges(line: number): void {
    const ranges = this.#ranges;
    // Lines of an import come in order. Compared lines come in the order of their references.
    const before = ranges.findLastIndex(({ first }) => first <= line);
    const previous = ranges[before];
    const next = ranges[before + 1];
    // A line with two faults of the same cause is counted once.
    if (previous !== undefined && line <= previous.last) return;
    this.#rest++;
    const follows = previous?.last === line - 1;
    const precedes = next?.first === line + 1;
    if (follows && precedes) {
      previous.last = next.last;
      ranges.splice(before + 1, 1);
    } else if (follows) previous.last = line;
    else if (precedes) next.first = line;
    else ranges.splice(before + 1, 0, { first: line, last: line });
  }
}
