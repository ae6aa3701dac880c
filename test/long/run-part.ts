import { writeFileSync } from 'node:fs';
import { write } from './part.ts';
import { PARTS } from './parts.ts';

/*
 * Runs one part, in a process that can be ended if the part hangs, and writes its result to a file.
 */
const [name, first, minutes, path = ''] = process.argv.slice(2);
const part = PARTS.find((one) => one.name === name);
const endsAtMs = performance.now() + Number(minutes) * 60_000;
try {
  writeFileSync(path, (await part?.run({ first: Number(first), endsAtMs })) ?? '');
  process.exitCode = 0;
} catch (error) {
  write(String((error as Error).stack));
  process.exitCode = 1;
}
// Ends the threads of a failed part, which can still run.
process.exit();
