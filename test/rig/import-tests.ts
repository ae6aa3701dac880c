import { fileURLToPath, pathToFileURL } from 'node:url';
import { testsOf } from './test-files.ts';
import { TIER } from './tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs these files in this process, one after the other. A process for each, which imports the service and compiles its schemas
 * again, takes longer than most of them.
 */
export async function importTests(folder: string, share = 1, of = 1): Promise<void> {
  for (const file of testsOf(TIER, folder, share, of)) await import(pathToFileURL(`${ROOT}${file}`).href);
}
