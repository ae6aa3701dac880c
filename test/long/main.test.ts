import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { filesPart } from './files-part.ts';

const COMMAND = fileURLToPath(new URL('./main.ts', import.meta.url));

const testLong = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, ...args], { timeout: 600_000 });

test('test:long refuses an unknown part, and lists the parts', async () => {
  await assert.rejects(
    testLong('--only', 'sope'),
    /there is no part sope; the parts are files, faults, simulation, .*soak/,
  );
});

test('the part of all files runs them with all their cases', async () => {
  const part = filesPart(['src/values/amount.test.ts', 'src/values/currency.test.ts']);
  const { counts, figures, broken } = await part.run({ first: 1, count: 2, endsAtMs: Infinity });
  assert.ok((counts['tests passed'] ?? 0) > 2);
  assert.deepEqual([figures, broken], ['2 of 2 files and groups', '0']);
});

/** Runs canaries. Returns the cells of the table, without the promise and the day, and what was printed. */
async function runCanaries(t: TestContext, names: string, runs: string[][]) {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const path = `${folder.path}/long-run.md`;
  const ends = [];
  for (const args of runs) {
    const ended = await testLong('--write', path, '--only', names, ...args).catch((error) => error);
    const lines = readFileSync(path, 'utf8').split('\n');
    const rows = lines.filter((line) => line.startsWith('| ') && !line.startsWith('| promise'));
    const cells = rows.map((line) => line.split(' | ').slice(1, -1));
    ends.push({ status: ended.code ?? 0, cells, stdout: ended.stdout });
  }
  return ends;
}

test('test:long reports a broken promise, a check that throws and one whose process ends, and resumes after what passed', async (t) => {
  const names = 'canary-broken,canary-throws,canary-exits,canary-passes';
  const minutes = ['--minutes', '1'];
  const [first, resumed] = await runCanaries(t, names, [minutes, [...minutes, '--resume']]);
  assert.equal(first?.status, 1);
  assert.deepEqual(first?.cells, [
    ['-', '-', '-', '1'],
    ['-', '-', 'ended early', 'a failed check'],
    ['-', '-', 'ended early', 'its process ended with 7'],
    ['1 of 3 looks', '1', '-', '0'],
  ]);
  assert.equal(resumed?.status, 1);
  assert.match(resumed?.stdout, /^canary-broken, from seed 1,/m);
  assert.doesNotMatch(resumed?.stdout, /^canary-passes/m);
});

test('test:long adds to the counts of earlier runs with other seeds, up to the goal of a full run', async (t) => {
  const full = ['--full', '--resume', '--counts', 'canary-passes=2'];
  const ends = await runCanaries(t, 'canary-passes', [['--minutes', '1'], full, full]);
  assert.deepEqual(
    ends.map(({ status, cells }) => [status, ...cells]),
    [
      [0, ['1 of 3 looks', '1', '-', '0']],
      [0, ['2 of 3 looks', '1 to 2', '-', '0']],
      [0, ['2 of 3 looks', '1 to 2', '-', '0']],
    ],
  );
  assert.doesNotMatch(ends[2]?.stdout, /^canary-passes/m);
});

test('test:long stops a part that hangs, and reports it', async (t) => {
  const [ended] = await runCanaries(t, 'canary-hangs', [['--minutes', '0.01', '--grace', '0']]);
  assert.equal(ended?.status, 1);
  assert.deepEqual(ended?.cells, [['-', '-', 'ended early', 'stopped: it hung for 0.01 minutes']]);
});
