import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const FOLDER = join(import.meta.dirname, '../../decisions');
const names = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .sort();

test('decisions are numbered without gaps, and each title has its number', () => {
  for (const [index, name] of names.entries()) {
    const number = String(index + 1).padStart(4, '0');
    assert.match(name, new RegExp(`^${number}-[a-z0-9-]+\\.md$`));
    const text = readFileSync(join(FOLDER, name), 'utf8');
    assert.ok(text.startsWith(`# ${number} `), `${name} does not begin with "# ${number} "`);
  }
});
