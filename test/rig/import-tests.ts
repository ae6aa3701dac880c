import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Every `of`th test file of a folder of `test`, from the `share`th, without those of the long tier. */
export const testsOf = (folder: string, share: number, of: number): string[] =>
  globSync(`test/${folder}/**/*.test.ts`, { cwd: ROOT })
    .filter((path) => !path.endsWith('.long.test.ts'))
    .sort()
    .filter((_, index) => index % of === share - 1);

/**
 * Runs these files in this process, one after the other. A process for each, which imports the service and compiles its schemas
 * again, takes longer than most of them.
 */
export async function importTests(folder: string, share = 1, of = 1): Promise<void> {
  for (const file of testsOf(folder, share, of)) await import(pathToFileURL(`${ROOT}${file}`).href);
}
