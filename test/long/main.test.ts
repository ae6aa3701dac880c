import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { filesPart } from './files-part.ts';

const COMMAND = fileURLToPath(new URL('./main.ts', import.meta.url));

const testLong = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, ...args], { timeout: 600_000 });

test('test:long refuses an unknown part, and lists the parts', async () => {
  await assert.rejects(
    testLong('--only', 'sope'),
    /there is no part sope; the parts are files, simulation, .*soak/,
  );
});

test('the part of all files runs them with all their cases', async () => {
  const part = filesPart(1, ['src/values/amount.test.ts', 'src/values/currency.test.ts']);
  const { howMuch, broken } = await part.run({ endsAtMs: undefined, minutes: undefined });
  assert.match(howMuch, /^2 of 2 files and groups, \d+ tests passed$/);
  assert.equal(broken, '0');
});

test('test:long reports a broken promise and a check that throws, and resumes after what passed', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const path = `${folder.path}/long-run.md`;
  const args = ['--write', path, '--minutes', '1', '--only', 'canary-broken,canary-throws,canary-passes'];
  const ended = await testLong(...args).catch((error) => error);
  assert.equal(ended.code, 1);
  assert.deepEqual(cellsOf(path), [
    ['1 look', '1'],
    ['ended early', 'a failed check'],
    ['1 look', '0'],
  ]);
  const resumed = await testLong(...args, '--resume').catch((error) => error);
  assert.match(resumed.stdout, /^canary-broken/m);
  assert.doesNotMatch(resumed.stdout, /^canary-passes/m);
});

test('test:long stops a part that hangs, and reports it', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const path = `${folder.path}/long-run.md`;
  const args = ['--write', path, '--minutes', '0.01', '--grace', '0', '--only', 'canary-hangs'];
  const ended = await testLong(...args).catch((error) => error);
  assert.equal(ended.code, 1);
  assert.deepEqual(cellsOf(path), [['ended early', 'stopped: it hung for 0.01 minutes']]);
});

/** What the parts have checked, and how often it was broken. */
const cellsOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
    .map((line) => line.split(' | ').slice(1, 3));
