import { writeFileSync } from 'node:fs';
import type { PartResult } from './long-run-table.ts';
import { write } from './part.ts';
import { partNamed, values } from './parts.ts';

/*
 * Runs one part, in a process that can be stopped if the part hangs, and writes its result to a file.
 */
const minutes = values.full ? undefined : Number(values.minutes);
const endsAtMs = minutes === undefined ? undefined : performance.now() + minutes * 60_000;

let result: PartResult;
try {
  result = (await partNamed(values.part ?? '')?.run({ endsAtMs, minutes })) as PartResult;
} catch (error) {
  write(String((error as Error).stack));
  result = { howMuch: 'ended early', broken: (error as Error).message };
}
writeFileSync(values.result ?? '', JSON.stringify(result));
// Threads of a part that failed can still run.
process.exit();
