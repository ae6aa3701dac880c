import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { GIVE_UP_MS } from '../rig/give-up.ts';
import { MIGRATED_VARIABLE, SERVER_VARIABLE } from '../rig/global-setup.ts';
import { migratedDatabase } from '../rig/migrated-database.ts';
import { postgresUrl } from '../rig/postgres.ts';
import { MUTANTS, type Mutant, ROOT } from './mutants.ts';

/*
 * Tests the isolation tests: each mutant removes the account from one statement, from the cursor's binding or from the key
 * cache, and the responsible test must fail with an AssertionError.
 */

/** The report of the responsible test on the changed source. */
async function runOn({ caughtBy, file, from, to }: Mutant): Promise<string> {
  const pattern = caughtBy.test.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const child = spawn(
    process.execPath,
    [
      `--import=${ROOT}test/isolation/mutate-source.ts`,
      '--test-reporter=tap',
      `--test-name-pattern=/${pattern}$/`,
      caughtBy.file,
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        // Removes the variable that this file's runner sets for its children.
        NODE_TEST_CONTEXT: '',
        SOURCE_MUTATION: JSON.stringify({ file, from, to }),
        // One server for all mutants, and one database that they copy.
        [SERVER_VARIABLE]: await postgresUrl(),
        [MIGRATED_VARIABLE]: await migratedDatabase(),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearTimeout(timer);
  return output;
}

describe('the responsible test fails on', { concurrency: 2 }, () => {
  for (const mutant of MUTANTS) {
    test(mutant.name, async () => {
      const output = await runOn(mutant);
      assert.match(
        output,
        new RegExp(`not ok \\d+ - ${mutant.caughtBy.test.replaceAll('/', '\\/')}`),
        output,
      );
      assert.match(output, /ERR_ASSERTION/, output);
    });
  }
});
