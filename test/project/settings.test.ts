import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingsPage } from '../../scripts/settings-page.ts';

test('the page of the settings is the one that their table makes (npm run settings)', () => {
  const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  assert.equal(page, settingsPage());
});
