import { Random } from '../rig/random.ts';
import { testFiles } from '../rig/test-files.ts';
import { number, type Part, progress } from './part.ts';
import { runFiles } from './repeated-files.ts';

/** Few enough to end in time, and enough that the start of PostgreSQL hardly counts. */
const FILES_AT_ONCE = 10;

/** Runs every test file with all its cases, and those of the long tier, others first with each seed. */
export function filesPart(seed: number, all: readonly string[] = testFiles('long')): Part {
  return {
    name: 'files',
    promise: 'Every test passes with all its cases, also those that a commit does not run',
    share: 0.3,
    async run({ endsAtMs = Number.POSITIVE_INFINITY }) {
      const { onProgress } = progress('test files');
      const random = new Random(seed);
      const left = new Set(all);
      let passed = 0;
      while (left.size > 0 && performance.now() < endsAtMs) {
        const files: string[] = [];
        while (files.length < FILES_AT_ONCE && left.size > 0) {
          const file = random.pick([...left]);
          left.delete(file);
          files.push(file);
        }
        passed += (await runFiles(files, seed)).passed;
        onProgress(all.length - left.size);
      }
      return {
        howMuch: `${all.length - left.size} of ${all.length} files and groups, ${number(passed)} tests passed`,
        broken: '0',
      };
    },
  };
}
