import { writeFileSync } from 'node:fs';
import type { PartResult } from './long-run-table.ts';
import { options } from './options.ts';
import { write } from './part.ts';
import { partNamed } from './parts.ts';

/*
 * Runs one part, in a process that can be stopped if the part hangs, and writes its result to a file.
 */
const { first, count, minutes } = JSON.parse(options.limits ?? '') as {
  first: number;
  /** Null if the minutes decide, and the reverse. */
  count: number | null;
  minutes: number | null;
};

let result: PartResult;
try {
  result = (await partNamed(options.part ?? '')?.run({
    first,
    count: count ?? Number.POSITIVE_INFINITY,
    endsAtMs: minutes === null ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000,
  })) as PartResult;
} catch (error) {
  write(String((error as Error).stack));
  // The rest of it, for example the output of a test, is in the log.
  const [broken = ''] = (error as Error).message.split('\n', 1);
  result = { counts: {}, seeds: 0, figures: 'ended early', broken };
}
writeFileSync(options.result ?? '', JSON.stringify(result));
// Threads of a part that failed can still run.
process.exit();
