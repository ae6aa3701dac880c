import { globSync } from 'node:fs';
import { Random } from '../rig/run/random.ts';
import { number, type Part, progress } from './part.ts';
import { runFiles } from './repeated-files.ts';

/** Few enough to end in time, and enough that the start of PostgreSQL hardly counts. */
const FILES_AT_ONCE = 10;

/** Runs every test file with all its cases, and those of the long tier, others first with each seed. */
export const filesPart = (all: readonly string[] = globSync('{test,src,web}/**/*.test.ts')): Part => ({
  name: 'files',
  promise: 'Every test passes with all its cases, also those that a commit does not run',
  share: 0.3,
  goal: all.length,
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('test files');
    const random = new Random(first);
    const left = new Set(all);
    const done = () => all.length - left.size;
    let passed = 0;
    while (left.size > 0 && done() < count && (done() === 0 || performance.now() < endsAtMs)) {
      const files: string[] = [];
      while (files.length < FILES_AT_ONCE && left.size > 0) {
        const file = random.pick([...left]);
        left.delete(file);
        files.push(file);
      }
      passed += (await runFiles(files, first)).passed;
      onProgress(done());
    }
    return {
      counts: { 'runs of test files and groups': done(), 'tests passed': passed },
      seeds: 1,
      figures: `${number(done())} of ${number(all.length)} files and groups`,
      broken: '0',
    };
  },
});
