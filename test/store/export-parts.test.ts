import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { changeId } from '../../src/ledger/changes/change.ts';
import type { Export } from '../../src/ledger/exports/export.ts';
import { NO_EXPORT_FILTER } from '../../src/ledger/exports/export-filter.ts';
import type { ExportFault, ExportRequest } from '../../src/ledger/exports/export-query.ts';
import { findResumed, startExport } from '../../src/ledger/exports/start-export.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { FaultList } from '../../src/values/fault-list.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { storeWith } from '../rig/store/store-with.ts';

const ACCOUNT = 'store-1';
const ROWS = 1200;

/** Newest first, as the list. Two have each time. */
const LISTED = Array.from({ length: ROWS }, (_, index) =>
  transaction(ACCOUNT, `t${String(ROWS - index).padStart(4, '0')}`, {
    createdAtMs: DAY('2026-03-01') + Math.floor((ROWS - index) / 2),
  }),
);
const references = LISTED.map(({ reference }) => reference);

/** An export that was resumed after these transactions, and how many calls of the store finding it again takes. */
async function resumedExport(resumedAfter: string[]) {
  const { store } = await openStore(IN_MEMORY_URL, () => 0);
  await record(store, LISTED);
  const filter = NO_EXPORT_FILTER;
  const exported: Export = {
    id: 'exp_1',
    account: ACCOUNT,
    format: 'csv',
    spreadsheet: false,
    filter,
    created: null,
    asOf: ROWS,
    asOfId: null,
    seal: null,
    totals: [],
    resumedAfter,
    attempt: resumedAfter.length + 1,
    startedAtMs: 0,
    result: null,
  };
  let calls = 0;
  const counting = storeWith(store, {
    findExport: async () => exported,
    retrieveTransaction: (...values) => {
      calls++;
      return store.retrieveTransaction(...values);
    },
  });
  const request: ExportRequest = { format: 'csv', filter, spreadsheet: null, resume: 'exp_1', after: null };
  return async (after: string) => {
    calls = 0;
    const faults = new FaultList<ExportFault>();
    const found = await findResumed(counting, ACCOUNT, { ...request, resume: 'exp_1', after }, faults, 0);
    return { resumedAfter: found?.resumedAfter, calls, faults: faults.listed };
  };
}

test('an export with 999 parts is resumed anywhere after few look-ups, and keeps the parts before', async () => {
  const parts = references.slice(100, 1099);
  const resume = await resumedExport(parts);
  for (const place of [0, 99, 100, 101, 600, 1097, 1098, 1099, ROWS - 1]) {
    const after = references[place] as string;
    const { resumedAfter, calls, faults } = await resume(after);
    assert.deepEqual(faults, []);
    assert.deepEqual(resumedAfter, [...parts.filter((_, index) => index + 100 < place), after]);
    assert.ok(calls <= 12, `${calls} look-ups`);
  }
});

test('an export with 1,000 parts is not resumed after the last of them', async () => {
  const resume = await resumedExport(references.slice(0, 1000));
  const { resumedAfter, faults, calls } = await resume(references[1000] as string);
  assert.equal(resumedAfter, undefined);
  assert.deepEqual(
    faults.map(({ code }) => code),
    ['invalid_after'],
  );
  assert.ok(calls <= 12, `${calls} look-ups`);
  assert.equal((await resume(references[999] as string)).resumedAfter?.length, 1000);
});

test('an export by merchantReference has the number and the id of one snapshot', async () => {
  const { store } = await openStore(IN_MEMORY_URL, () => 0);
  await record(store, [transaction(ACCOUNT, 'a', { merchantReference: 'order' })]);
  const { last } = await store.listChanges({ account: ACCOUNT, after: 1, limit: 1 });
  // Read after the head, the last change could be gone: a database was restored between both.
  const restored = storeWith(store, {
    listChanges: async (query) => ({ ...(await store.listChanges(query)), last: undefined }),
  });
  const filter = { ...NO_EXPORT_FILTER, merchantReference: 'order' };
  const request = { format: 'csv' as const, filter, spreadsheet: null, resume: null, after: null };
  const { asOf, asOfId } = await startExport(restored, ACCOUNT, request, {
    nowMs: 0,
    randomBytes,
    mostStored: 10,
  });
  assert.ok(last !== undefined);
  assert.deepEqual([asOf, asOfId], [1, changeId(ACCOUNT, last)]);
});
