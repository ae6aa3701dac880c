import { describe } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
// It waits for a promise while it is loaded. Files that were loaded meanwhile would all belong to the suite of the first one.
import '../../../src/ledger/list/sealed-text.ts';
import './at-end.ts';
import { type Group, testsOf } from './test-files.ts';
import { TIER } from './tier.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Runs the files of a share of a group in this process, one after the other, each in a suite with its own hooks. A process for each, which
 * imports the service and compiles its schemas again, takes longer than most of them.
 */
export async function importTests(group: Group, share = 1, of = 1): Promise<void> {
  for (const file of testsOf(TIER, group, share, of))
    describe(file, async () => {
      await import(pathToFileURL(`${ROOT}${file}`).href);
    });
}
