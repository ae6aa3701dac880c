import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { UNAVAILABLE } from '../../src/values/unavailable.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const LIST = 'src/values/unavailable.ts';

test('docs/troubleshooting.md has each reason of a 503 with its cause, and something gives each', () => {
  const [, section = ''] = read('docs/troubleshooting.md').split('## Reasons of a 503\n');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \| .+ \|$/gm)].map(([, reason, cause]) => ({
    reason,
    cause,
  }));
  assert.deepEqual(
    rows,
    Object.entries(UNAVAILABLE).map(([reason, { cause }]) => ({ reason, cause })),
  );
  // The commands of src/operate answer no request.
  const sources = globSync('src/**/*.ts')
    .filter((path) => path !== LIST && !path.endsWith('.test.ts') && !path.startsWith('src/operate/'))
    .map(read);
  for (const { reason } of rows)
    assert.ok(
      sources.some((source) => source.includes(`'${reason}'`)),
      `nothing gives ${reason}`,
    );
});
