import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { MUTANTS, type Mutant, ROOT } from './mutants.ts';

/*
 * The tests of isolation are tested: the account is taken out of each statement, and of the cursor's binding, and the
 * test that is there for it must fail, by an assertion of its own.
 */

const GIVE_UP_MS = 60_000;

/** What the test reports of itself on the changed source. */
async function report({ noticedBy, file, from, to }: Mutant): Promise<string> {
  const pattern = noticedBy.test.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const child = spawn(
    process.execPath,
    [
      `--import=${ROOT}test/isolation/mutate-source.ts`,
      '--test-reporter=tap',
      `--test-name-pattern=/${pattern}$/`,
      noticedBy.file,
    ],
    {
      cwd: ROOT,
      // Without what the runner of this file tells its own children.
      env: { ...process.env, NODE_TEST_CONTEXT: '', SOURCE_MUTATION: JSON.stringify({ file, from, to }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearTimeout(timer);
  return output;
}

describe('the test that is there for it notices', { concurrency: 2 }, () => {
  for (const mutant of MUTANTS) {
    test(mutant.what, async () => {
      const output = await report(mutant);
      assert.match(
        output,
        new RegExp(`not ok \\d+ - ${mutant.noticedBy.test.replaceAll('/', '\\/')}`),
        output,
      );
      assert.match(output, /ERR_ASSERTION/, output);
    });
  }
});
