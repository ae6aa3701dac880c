import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { RefusedRecording, recordOnce } from '../../src/ledger/record/record.ts';
import { completed } from '../rig/data/changes.ts';
import { DAY, transaction } from '../rig/data/transactions.ts';
import { archive } from '../rig/store/archive.ts';
import { assertVerified, contentsOf } from '../rig/store/copy.ts';
import { ACCOUNT, BEFORE, isOld, type MakeUrl, OTHER, opened, recordMarch } from './march.ts';

/**
 * An archived transaction is not recorded again, even by a service that was suspended for long, because the
 * database decides.
 */
export async function isNotRecordedAgain(t: TestContext, makeUrl: MakeUrl): Promise<void> {
  const database = await opened(t, makeUrl);
  const { url, store } = database;
  const rows = await recordMarch(store, ACCOUNT, 60);
  const paid = transaction(ACCOUNT, 'once', { createdAtMs: DAY('2026-03-02') });
  const once = { key: 'k', fingerprint: 'a'.repeat(64) };
  await recordOnce(store, paid, once);
  await archive([ACCOUNT], database);
  const left = await contentsOf(url);
  const [gone, waiting] = [rows.find(isOld), rows.find((row) => row.status === 'pending')];
  assert.ok(gone !== undefined && waiting !== undefined);

  const isArchived = (error: unknown) => error instanceof RefusedRecording && error.fault.code === 'archived';
  const fresh = transaction(ACCOUNT, 'new', { createdAtMs: BEFORE - 1 });
  const results = await store.record([gone, fresh, waiting, { ...gone, account: OTHER }]);
  assert.deepEqual(
    results.map((one) => (one.outcome === 'failed' ? isArchived(one.error) : one.outcome)),
    [true, true, 'unchanged', 'recorded'],
  );
  await assert.rejects(recordOnce(store, paid, once), isArchived);
  const other = { key: 'other', fingerprint: 'b'.repeat(64) };
  await assert.rejects(recordOnce(store, { ...fresh, reference: 'assigned' }, other), isArchived);
  const importing = await store.openImport();
  const { outcomes } = await importing.recordTransactions([gone, waiting]).finally(() => importing.close());
  assert.deepEqual(
    outcomes.map((one) => (one.outcome === 'failed' ? isArchived(one.error) : one.outcome)),
    [true, 'unchanged'],
  );
  assert.deepEqual((await contentsOf(url)).rows[ACCOUNT], left.rows[ACCOUNT]);

  assert.equal((await store.record([completed(waiting)]))[0]?.outcome, 'changed');
  // The refused recording did not use up its key. An archived reference can be recorded again on a later day.
  const later = { ...fresh, createdAtMs: BEFORE, reference: 'assigned' };
  const corrected = await recordOnce(store, later, { ...other, fingerprint: 'c'.repeat(64) });
  assert.equal(corrected.outcome, 'recorded');
  const moved = { ...gone, createdAtMs: BEFORE };
  assert.equal((await store.record([moved]))[0]?.outcome, 'recorded');
  await assertVerified(url);
}
