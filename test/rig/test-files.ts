import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** These folders share processes: `test/groups` runs their files. */
const GROUPED = ['client', 'http', 'page'];

const isLong = (path: string) => path.endsWith('.long.test.ts');
const isGrouped = (path: string) => GROUPED.some((folder) => path.startsWith(`test/${folder}/`));

const everyFile = () => globSync('test/**/*.test.ts', { cwd: ROOT }).sort();

/**
 * What a run starts a process for: every test file of `test` or its group. The long tier also has its own files, and the unit tests,
 * which have random cases too; `npm test` runs them for their coverage.
 */
export const testFiles = (tier: 'short' | 'long'): string[] => [
  ...globSync('test/groups/*.ts', { cwd: ROOT }).sort(),
  ...everyFile().filter((path) => (isLong(path) ? tier === 'long' : !isGrouped(path))),
  ...(tier === 'long' ? globSync('{src,web}/**/*.test.ts', { cwd: ROOT }).sort() : []),
];
