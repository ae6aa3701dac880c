import { number, type Part, write } from './part.ts';
import { type SoakResult, soak } from './soak.ts';

/** A shorter slice does not show whether a process grows. */
const SHORTEST_MINUTES = 10;
/** Clients keep 16 connections open, and a file is open for some requests. A leak is larger: an account comes and goes every 30 seconds. */
const MAX_MORE_DESCRIPTORS = 16;
const MAX_MEMORY_RATIO = 1.25;

/** What grew during a slice. */
export function growthIn(minutes: number, { rssMb, descriptors }: SoakResult): string[] {
  if (minutes < SHORTEST_MINUTES) return [];
  const grown: string[] = [];
  if (rssMb.last > rssMb.first * MAX_MEMORY_RATIO)
    grown.push(`the memory grew from ${number(rssMb.first)} to ${number(rssMb.last)} MB`);
  if (descriptors.last > descriptors.first + MAX_MORE_DESCRIPTORS)
    grown.push(`the descriptors grew from ${descriptors.first} to ${descriptors.last}`);
  return grown;
}

/** Steady load in slices: each run starts the service again, and the minutes add up. */
export const soakPart: Part = {
  name: 'soak',
  promise: 'Under steady load, the memory, descriptors and latency of a process stay constant',
  share: 0.2,
  // Memory varies by some 2 MB: in four hours, a leak of a megabyte an hour is more.
  goal: 4 * 60,
  async run({ first, count, endsAtMs }) {
    const minutes = Math.min(count, (endsAtMs - performance.now()) / 60_000);
    const result = await soak(minutes, first, write);
    const { requests, rssMb, rssMbPerHour, descriptors, p99Ms } = result;
    const failures = [...result.failures, ...growthIn(minutes, result)];
    for (const failure of new Set(failures)) write(failure);
    return {
      counts: { minutes, requests },
      seeds: 1,
      figures:
        `${number(minutes)} min: memory ${number(rssMb.first)} to ${number(rssMb.last)} MB (${number(rssMbPerHour)} MB/h), ` +
        `descriptors ${descriptors.first} to ${descriptors.last}, p99 ${number(p99Ms.first)} to ${number(p99Ms.last)} ms`,
      broken: String(failures.length),
    };
  },
};
