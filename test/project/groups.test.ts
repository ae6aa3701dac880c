import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testsOf } from '../rig/import-tests.ts';
import { testFiles } from '../rig/test-files.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const everyFile = globSync('{test,src,web}/**/*.test.ts', { cwd });

/** The files that a tier runs, by themselves or in a group. */
function filesOf(tier: 'short' | 'long'): string[] {
  const run = testFiles(tier);
  const groups = run.filter((file) => file.startsWith('test/groups/'));
  assert.ok(groups.length > 1);
  const grouped = groups.flatMap((file) => {
    const source = readFileSync(`${cwd}${file}`, 'utf8');
    const [, folder = '', share = 1, of = 1] =
      /^await importTests\('([\w-]+)'(?:, (\d+), (\d+))?\);$/m.exec(source) ?? [];
    const files = testsOf(folder, Number(share), Number(of));
    assert.ok(files.length > 0, `${file} runs nothing`);
    return files;
  });
  const alone = run.filter((file) => !groups.includes(file));
  return [...alone, ...grouped].sort();
}

// `npm run coverage`, which npm test begins with, runs the unit tests.
test('npm test runs every other test file once, but none of the long tier', () => {
  const other = everyFile.filter((file) => file.startsWith('test/'));
  const short = other.filter((file) => !file.endsWith('.long.test.ts'));
  assert.ok(short.length < other.length);
  assert.deepEqual(filesOf('short'), short.sort());
});

test('npm run test:long runs every test file once, unit tests included', () => {
  assert.deepEqual(filesOf('long'), everyFile.sort());
});
