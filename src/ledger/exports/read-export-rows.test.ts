import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOfTurn } from './read-export-rows.ts';

test('the turns of an export are shorter while requests come', () => {
  const rows = rowsOfTurn({ isBusy: true });
  const idleRows = rowsOfTurn({ isBusy: false });
  assert.ok(rows > 0 && rows < idleRows / 4, `${rows} and ${idleRows} rows`);
});
