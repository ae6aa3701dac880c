import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { REPEATED_FILES } from './repeated-files.ts';

export const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '240' },
    full: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    /** How many minutes after its time a part that has not ended hangs. */
    grace: { type: 'string', default: '30' },
    only: { type: 'string' },
    /** The size of parts in a full run: walks=100,kills=5. */
    counts: { type: 'string', default: '' },
    first: { type: 'string' },
    files: { type: 'string', default: REPEATED_FILES.join(',') },
    write: {
      type: 'string',
      default: fileURLToPath(new URL('./results.md', import.meta.url)),
    },
    /** The part that a process runs, its limits and the file for its result: only main.ts gives them. */
    part: { type: 'string' },
    limits: { type: 'string' },
    result: { type: 'string' },
  },
});
