import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

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
