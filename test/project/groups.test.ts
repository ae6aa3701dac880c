import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import packageJson from '#package' with { type: 'json' };
import { testsOf } from '../rig/import-tests.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const everyFile = globSync('test/**/*.test.ts', { cwd });

/** The files that a script runs, by themselves or in a group. */
function filesOf(script: string): string[] {
  const patterns = [...script.matchAll(/"(test\/[^"]+)"/g)].map(([, pattern]) => `${pattern}`);
  const run = patterns.flatMap((pattern) => globSync(pattern, { cwd }));
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

test('npm test runs every test file once, but none of the long tier', () => {
  const short = everyFile.filter((file) => !file.endsWith('.long.test.ts'));
  assert.ok(short.length < everyFile.length);
  assert.deepEqual(filesOf(packageJson.scripts.test), short.sort());
});

test('npm run test:long runs every test file once', () => {
  assert.deepEqual(filesOf(packageJson.scripts['test:long']), everyFile.sort());
});
