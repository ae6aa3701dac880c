import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { UNAVAILABLE } from '../../src/values/unavailable.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const LIST = 'src/values/unavailable.ts';

/** The files of the service that name a reason. The commands of `src/operate` answer no request. */
const sources = globSync('src/**/*.ts')
  .filter((path) => path !== LIST && !path.endsWith('.test.ts') && !path.startsWith('src/operate/'))
  .map((path) => ({ path, text: read(path) }));

test('ARCHITECTURE.md has each reason of a 503, with its cause and every file that gives it', () => {
  const [, section = ''] = read('ARCHITECTURE.md').split('### Where a 503 comes from\n');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \|$/gm)].map(
    ([, reason, cause, files = '']) => ({
      reason,
      cause,
      files: [...files.matchAll(/`([^`]+)`/g)].map(([, path]) => path),
    }),
  );
  const expected = Object.entries(UNAVAILABLE).map(([reason, { cause }]) => ({
    reason,
    cause,
    files: sources
      .filter(({ text }) => text.includes(`'${reason}'`))
      .map(({ path }) => path)
      .toSorted(),
  }));
  assert.deepEqual(rows, expected);
  for (const { reason, files } of expected) assert.ok(files.length > 0, `nothing gives ${reason}`);
});
