import { counted } from '../counted.ts';
import type { FaultyLine } from '../faulty-line.ts';
import { type Progress, printManyNotes } from './output.ts';

const LINES_IN_FULL = 10;
/** Only this many causes are grouped. Lines with later causes are printed in full. */
const MAX_CAUSES = 100;
const MAX_RANGES = 1000;

interface Range {
  first: number;
  last: number;
}

interface Cause {
  likeness: string;
  printed: number;
  ranges: Range[];
}

/** Similar lines are grouped, so that they do not fill the terminal and memory. */
export function faultyLineReport(shown: Progress) {
  const causes = new Map<string, Cause>();
  const print = (...notes: string[]) => {
    shown.clear();
    return printManyNotes(...notes);
  };
  return {
    async add({ line, place, cause, detail }: FaultyLine): Promise<void> {
      const where = `line ${line}${place === null ? '' : `, ${place}`}`;
      const key = `${place} ${cause}`;
      const alike = causes.get(key) ?? { likeness: `like ${where}`, printed: 0, ranges: [] };
      if (causes.size < MAX_CAUSES) causes.set(key, alike);
      if (alike.printed < LINES_IN_FULL) {
        alike.printed++;
        return print(`${where}: ${detail}`);
      }
      const last = alike.ranges.at(-1);
      if (last?.last === line - 1) last.last = line;
      else alike.ranges.push({ first: line, last: line });
      if (alike.ranges.length <= MAX_RANGES) return;
      alike.ranges = merged(alike.ranges);
      if (alike.ranges.length > MAX_RANGES) await print(...takeRest(alike));
    },

    async end(): Promise<void> {
      const rests = [...causes.values()].flatMap(takeRest);
      if (rests.length > 0) await print(...rests);
    },
  };
}

function takeRest(cause: Cause): string[] {
  const ranges = merged(cause.ranges);
  cause.ranges = [];
  if (ranges.length === 0) return [];
  const count = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const numbers = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  return [`${counted(count, 'more line')} ${cause.likeness}: ${numbers.join(', ')}`];
}

/** The ranges can overlap, because a line with two faults is added twice. */
function merged(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const { first, last } of ranges.toSorted((one, other) => one.first - other.first)) {
    const previous = all.at(-1);
    if (previous !== undefined && first <= previous.last + 1) previous.last = Math.max(previous.last, last);
    else all.push({ first, last });
  }
  return all;
}
