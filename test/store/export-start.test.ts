import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { changeId } from '../../src/ledger/changes/change.ts';
import { NO_EXPORT_FILTER } from '../../src/ledger/exports/export.ts';
import { startExport } from '../../src/ledger/exports/start-export.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { storeWith } from '../rig/store/store-with.ts';

const ACCOUNT = 'store-1';

test('an export by merchantReference has the number and the id of one snapshot', async () => {
  const { store } = await openStore(IN_MEMORY_URL, () => 0);
  await record(store, [transaction(ACCOUNT, 'a', { merchantReference: 'order' })]);
  const { last } = await store.listChanges({ account: ACCOUNT, after: 1, limit: 1 });
  // If the last change were read after the head, it could be gone: a restore can happen between the two
  // reads.
  const restored = storeWith(store, {
    listChanges: async (query) => ({ ...(await store.listChanges(query)), last: undefined }),
  });
  const filter = { ...NO_EXPORT_FILTER, merchantReference: 'order' };
  const request = { format: 'csv' as const, filter, spreadsheet: false };
  const { asOf, asOfId } = await startExport(restored, ACCOUNT, request, {
    nowMs: 0,
    randomBytes,
    mostStored: 10,
  });
  assert.ok(last !== undefined);
  assert.deepEqual([asOf, asOfId], [1, changeId(ACCOUNT, last)]);
});
