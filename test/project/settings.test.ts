import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingsPage } from '../../scripts/settings-page.ts';

test('docs/settings.md matches the table of settings (npm run settings)', () => {
  const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  assert.equal(page, settingsPage());
});
