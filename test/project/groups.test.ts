import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import packageJson from '#package' with { type: 'json' };
import { testsOf } from '../rig/import-tests.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));

test('npm test runs every test file once, by itself or in a group', () => {
  const patterns = [...packageJson.scripts.test.matchAll(/"(test\/[^"]+)"/g)].map(
    ([, pattern]) => `${pattern}`,
  );
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
  assert.deepEqual([...alone, ...grouped].sort(), globSync('test/**/*.test.ts', { cwd }).sort());
});
