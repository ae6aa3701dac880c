import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { UNAVAILABLE } from '../../values/unavailable.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const guide = read('docs/troubleshooting.md');

const LOGGED = /\.(?:warn|error)\(\s*(?:\{[^;]*?\},\s*)?'([^']{20,})'/g;

test('docs/troubleshooting.md explains every log line that reports a fault', () => {
  const files = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
  const messages = files.flatMap((path) => [...read(path).matchAll(LOGGED)].map(([, message]) => message));
  assert.ok(messages.length > 15);
  assert.deepEqual(
    messages.filter((message) => ![`| ${message} |`, `- ${message}\n`].some((line) => guide.includes(line))),
    [],
  );
});

const LIST = 'values/unavailable.ts';

/** Files of `src/operate` are left out, because its commands never answer a request with a 503. */
const sources = globSync('{src,values}/**/*.ts')
  .filter((path) => path !== LIST && !path.endsWith('.test.ts') && !path.startsWith('src/operate/'))
  .map(read);

test('docs/troubleshooting.md has each reason for a 503 with its cause, and a source file uses each reason', () => {
  const [, section = ''] = guide.split('## Reasons of a 503\n');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \| .* \|$/gm)].map(([, reason, cause]) => ({
    reason,
    cause,
  }));
  const expected = Object.entries(UNAVAILABLE).map(([reason, { cause }]) => ({ reason, cause }));
  assert.deepEqual(rows, expected);
  for (const { reason } of expected)
    assert.ok(
      sources.some((text) => text.includes(`'${reason}'`)),
      `nothing gives ${reason}`,
    );
});
