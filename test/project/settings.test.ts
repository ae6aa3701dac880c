import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commandPages } from '../../release/documents/commands-page.ts';
import { settingsPage } from '../../release/documents/settings-page.ts';

test('docs/settings.md matches the table of settings (npm run settings)', () => {
  const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  assert.equal(page, settingsPage());
});

for (const [name, text] of Object.entries(await commandPages()))
  test(`docs/${name} is what --help prints (npm run commands)`, () => {
    const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
    assert.ok(page === text, 'npm run commands writes it again');
  });
