import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STATEMENTS_FILE, sqliteStatements } from '../rig/database/sqlite-statements.ts';

test('docs has every statement of the store on SQLite as it is sent', async () => {
  const stored = readFileSync(new URL(`../../${STATEMENTS_FILE}`, import.meta.url), 'utf8');
  assert.equal(stored, await sqliteStatements(), 'run "npm run statements"');
});
