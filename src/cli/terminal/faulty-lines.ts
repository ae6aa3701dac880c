import type { FaultyLine } from '../../operate/import/stage-lines.ts';
import { number } from './import-report.ts';
import { printManyNotes, type progress } from './output.ts';

/** How many faulty lines of a cause are printed in full. The others are counted, and printed as ranges of line numbers. */
const LINES_IN_FULL = 10;
/** Further causes are counted together. */
const MAX_CAUSES = 100;
const RANGES_PRINTED = 20;
/** More than are printed, because lines that are compared come in the order of their references. */
const MAX_RANGES = 1000;

/** Prints faulty lines: the first lines of each cause in full, and the rest at the end. A file of alike lines neither fills the terminal nor the memory. */
export class FaultyLineReport {
  readonly #shown: ReturnType<typeof progress>;
  readonly #causes = new Map<string, Cause>();

  constructor(shown: ReturnType<typeof progress>) {
    this.#shown = shown;
  }

  async add({ line, field, cause, detail }: FaultyLine): Promise<void> {
    const place = field === null ? '' : `, column ${field}`;
    const alike = this.#causeOf(`${place} ${cause}`, `like line ${line}${place}`);
    if (!alike.add(line)) return;
    this.#shown.clear();
    await printManyNotes(`line ${line}${place}: ${detail}`);
  }

  /** Prints one line for the rest of each cause. */
  async end(): Promise<void> {
    const rests = [...this.#causes.values()].flatMap((cause) => cause.rest ?? []);
    if (rests.length === 0) return;
    this.#shown.clear();
    await printManyNotes(...rests);
  }

  #causeOf(key: string, likeness: string): Cause {
    const isNew = !this.#causes.has(key);
    const counted = isNew && this.#causes.size >= MAX_CAUSES ? 'others' : key;
    let cause = this.#causes.get(counted);
    if (cause === undefined) {
      cause = new Cause(counted === key ? likeness : 'with other faults');
      this.#causes.set(counted, cause);
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
  /** In order, with gaps between them. */
  readonly #ranges: Range[] = [];
  #printed = 0;
  #rest = 0;

  constructor(likeness: string) {
    this.#likeness = likeness;
  }

  /** Whether the line is to be printed in full. */
  add(line: number): boolean {
    if (this.#printed < LINES_IN_FULL) {
      this.#printed++;
      return true;
    }
    this.#rest++;
    this.#addToRanges(line);
    return false;
  }

  get rest(): string | undefined {
    if (this.#rest === 0) return undefined;
    const ranges = this.#ranges.slice(0, RANGES_PRINTED);
    const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
    const unlisted = ranges.reduce((left, { first, last }) => left - (last - first + 1), this.#rest);
    if (unlisted > 0) texts.push(`and ${number(unlisted)} more`);
    return `${number(this.#rest)} more ${this.#rest === 1 ? 'line' : 'lines'} ${this.#likeness}: ${texts.join(', ')}`;
  }

  #addToRanges(line: number): void {
    const ranges = this.#ranges;
    // Lines mostly come in their order.
    const before = ranges.findLastIndex(({ first }) => first <= line);
    const previous = ranges[before];
    const next = ranges[before + 1];
    if (previous !== undefined && line <= previous.last) return;
    const follows = previous?.last === line - 1;
    const precedes = next?.first === line + 1;
    if (follows && precedes) {
      previous.last = next.last;
      ranges.splice(before + 1, 1);
    } else if (follows) previous.last = line;
    else if (precedes) next.first = line;
    else if (ranges.length < MAX_RANGES) ranges.splice(before + 1, 0, { first: line, last: line });
  }
}
